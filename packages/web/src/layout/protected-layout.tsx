import { Navigate, Outlet, useLocation, useMatches } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import { lazy, type ReactNode, Suspense, useLayoutEffect, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { useIsServerReachable } from "#api/reachability.ts";
import { palette, useWasOpened } from "#keyboard/open-state.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { FileDrop } from "#open-files/file-drop.tsx";
import { readStored, storageKeys, writeStored } from "#preferences/storage.ts";
import { rememberReturn } from "#session/return-path.ts";
import { useSession } from "#session/session.ts";
import type { SessionUser } from "#session/session-user.ts";
import { StartingPage } from "#start/starting-page.tsx";
import { FullPageSpinner } from "#ui/content/spinner.tsx";
import { cx } from "#ui/cx.ts";
import { usePreload } from "#ui/hooks/first-use.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { AddressNotice } from "./address-notice.tsx";
import { ErrorBoundary } from "./error-boundary.tsx";
import { Header, loadPalette } from "./header.tsx";
import { Sidebar } from "./sidebar.tsx";
import { useServerHealth, useServerStatus, useStatusOfNetwork } from "./status/server-status.ts";
import { TaskBanner } from "./status/task-banner.tsx";

/** Layout of the pages that need a session. The route checks the session; the spinner shows during sign-out. */
export function ProtectedLayout() {
  const session = useSession();
  const { pathname, href } = useLocation();
  // The path of the location changes before the page does: as a key, it would draw the page that is left again.
  const shownPath = useMatches({ select: (matches) => matches.at(-1)?.pathname });
  if (session.status !== "authenticated") return <FullPageSpinner />;
  if (session.user.needs_second_factor) {
    // The location changes before the page of the other address replaces this one.
    if (pathname === "/second-factor") return <FullPageSpinner />;
    return <LeaveForSecondFactor from={href} />;
  }
  return (
    // Another tab may sign in as somebody else: forms and dialogs of the previous person must not stay open.
    <Shell key={session.user.id} user={session.user} isDemo={session.isDemo}>
      <AddressNotice />
      <ErrorBoundary key={shownPath}>
        <Suspense fallback={<StartingPage />}>
          <Outlet />
        </Suspense>
      </ErrorBoundary>
    </Shell>
  );
}

/** Leads to the page that sets up a second factor, which leads back to this address. */
function LeaveForSecondFactor({ from }: { readonly from: string }) {
  useLayoutEffect(() => rememberReturn({ path: from }), [from]);
  return <Navigate to="/second-factor" replace />;
}

const loadSheet = importOnce(() => import("#ui/overlays/sheet.tsx"));
const loadNothing = () => Promise.resolve();
const Sheet = lazy(async () => ({ default: (await loadSheet()).Sheet }));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

interface ShellProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
  readonly children: ReactNode;
}

function Shell({ user, isDemo, children }: ShellProps) {
  const [isCollapsed, setIsCollapsed] = useState(() => readStored(storageKeys.sidebar) === "collapsed");
  const [isSheetOpen, setIsSheetOpen] = useState(false);

  const hasPalette = useWasOpened(palette);
  useShortcuts({ palette: palette.open });
  useStatusOfNetwork();

  const isNarrow = useIsNarrow();
  usePreload(loadPalette);
  usePreload(isNarrow ? loadSheet : loadNothing);

  function toggle() {
    setIsCollapsed(!isCollapsed);
    writeStored(storageKeys.sidebar, isCollapsed ? "expanded" : "collapsed");
  }

  return (
    <div className="group/page flex min-h-dvh">
      <SkipLinks />
      <aside
        className={cx(
          "sticky top-0 hidden h-dvh shrink-0 overflow-y-auto border-line border-r bg-surface transition-[width] duration-150 ease-out md:block print:hidden!",
          isCollapsed ? "w-16" : "w-64",
        )}
      >
        <Sidebar isCollapsed={isCollapsed} onToggle={toggle} />
      </aside>
      {isSheetOpen && (
        <Suspense>
          <Sheet isOpen onOpenChange={setIsSheetOpen} title="Navigation">
            <Sidebar isCollapsed={false} onNavigate={() => setIsSheetOpen(false)} />
          </Sheet>
        </Suspense>
      )}
      <Suspense>{hasPalette && <Palette onToggleSidebar={toggle} />}</Suspense>
      <FileDrop />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header user={user} isDemo={isDemo} onOpenMenu={() => setIsSheetOpen(true)} />
        <StatusStrip />
        <main id="main" className="mx-auto w-full max-w-[1680px] flex-1 p-4 md:p-6">
          {children}
        </main>
      </div>
    </div>
  );
}

const skipLinkClass =
  "sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-surface focus:px-3 focus:py-2";

/** For the keyboard, at the beginning of each page. Only pages with a flame graph have the second one. */
function SkipLinks() {
  return (
    <>
      <a href="#main" className={skipLinkClass}>
        Skip to content
      </a>
      <a href="#flame-graph" className={cx("hidden group-has-[#flame-graph]/page:block", skipLinkClass)}>
        Skip to the flame graph
      </a>
    </>
  );
}

/**
 * Problems of the server, below the header. Tasks for an operator are shown on every screen, other problems only on phones,
 * where the status card is hidden in the closed sheet.
 */
function StatusStrip() {
  const health = useServerHealth();
  const { data: status } = useServerStatus();
  const tasks = status?.warnings.filter(({ action }) => action !== undefined) ?? [];
  const isReachable = useIsServerReachable();
  const hasOtherProblem = health?.isFine === false && (health.isFailing || tasks.length === 0);
  return (
    <>
      {hasOtherProblem && (
        <p
          role="status"
          className={cx(
            "sticky top-16 z-30 flex items-center gap-2 border-line border-b bg-surface px-4 py-2.5 font-medium md:static md:px-6",
            isReachable && "md:hidden",
            health.isFailing ? "text-critical-text" : "text-warning-text",
          )}
        >
          <TriangleAlert aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
          {health.text}
          {!isReachable && ". The page shows the last data and updates once it is back."}
        </p>
      )}
      {tasks.length > 0 && <TaskBanner tasks={tasks} />}
    </>
  );
}

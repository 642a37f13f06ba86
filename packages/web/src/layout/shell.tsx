import { lazy, type ReactNode, Suspense, useState } from "react";
import { importOnce } from "#api/import-page.ts";
import { palette, useWasOpened } from "#keyboard/open-state.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { readStored, storageKeys, writeStored } from "#preferences/storage.ts";
import type { SessionUser } from "#session/session-user.ts";
import { cx } from "#ui/cx.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { usePreload } from "#ui/hooks/use-preload.ts";
import { Header } from "./header.tsx";
import { Sidebar } from "./sidebar.tsx";
import { StatusStrip } from "./status/status-strip.tsx";

const loadSheet = importOnce(() => import("#ui/overlays/sheet.tsx"));
const loadPalette = importOnce(() => import("./palette/palette.tsx"));
const loadNothing = () => Promise.resolve();
const Sheet = lazy(async () => ({ default: (await loadSheet()).Sheet }));
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));

interface ShellProps {
  readonly user: SessionUser;
  readonly isDemo: boolean;
  readonly children: ReactNode;
}

export function Shell({ user, isDemo, children }: ShellProps) {
  const [isCollapsed, setIsCollapsed] = useState(() => readStored(storageKeys.sidebar) === "collapsed");
  const [isSheetOpen, setIsSheetOpen] = useState(false);

  const hasPalette = useWasOpened(palette);
  useShortcuts({ palette: palette.open });

  const isNarrow = useIsNarrow();
  usePreload(loadPalette);
  usePreload(isNarrow ? loadSheet : loadNothing);

  function toggle() {
    setIsCollapsed(!isCollapsed);
    writeStored(storageKeys.sidebar, isCollapsed ? "expanded" : "collapsed");
  }

  return (
    <div className="flex min-h-dvh">
      <a
        href="#main"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-control focus:bg-surface focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
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

import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { DemoGraph } from "#demo-graph/demo-graph.tsx";
import { usePageTitle } from "#layout/page-title.ts";
import { BrandMark } from "#ui/content/brand.tsx";
import { useIsNarrow } from "#ui/hooks/use-media.ts";

interface AccountLayoutProps {
  readonly title: string;
  readonly subtitle: string;
  readonly children: ReactNode;
}

/** Takes the place of links to the registration where only invited people can register. */
export const registrationByInvitation =
  "Registration is by invitation only. Ask an admin of your organization to invite you.";

/** Two-pane layout of the sign-in pages. */
export function AccountLayout({ title, subtitle, children }: AccountLayoutProps) {
  usePageTitle(title);
  const isWide = !useIsNarrow();
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main className="flex min-w-0 flex-col px-6 py-6 sm:px-10">
        <Link to="/" className="flex items-center gap-2.5 self-start rounded-control">
          <BrandMark />
          <span className="font-semibold text-card tracking-tight">Flamekeep</span>
        </Link>
        <div className="m-auto w-full max-w-sm py-10">
          <h1 className="font-semibold text-[1.625rem] leading-8 tracking-tight">{title}</h1>
          <p className="mt-1.5 mb-7 text-muted [overflow-wrap:anywhere]">{subtitle}</p>
          {children}
        </div>
      </main>
      {isWide && (
        <aside
          data-theme="dark"
          className="sticky top-0 flex h-dvh flex-col justify-between gap-8 overflow-hidden bg-bg text-text"
        >
          <p className="max-w-xl px-12 pt-16 font-semibold text-[2rem] leading-10 tracking-tight">
            See which line of your code burns the CPU, holds the memory, waits on the lock.
          </p>
          <div className="h-[58%]">
            <DemoGraph captionClass="px-12" />
          </div>
        </aside>
      )}
    </div>
  );
}

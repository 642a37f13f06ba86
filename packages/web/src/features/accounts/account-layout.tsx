import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { usePageTitle } from "#layout/page-title.ts";
import { BrandMark, FlameBackdrop } from "#ui/brand/brand.tsx";

interface AccountLayoutProps {
  readonly title: string;
  readonly subtitle: string;
  readonly children: ReactNode;
}

/** Two-pane layout of the sign-in pages. */
export function AccountLayout({ title, subtitle, children }: AccountLayoutProps) {
  usePageTitle(title);
  return (
    <div className="grid min-h-dvh bg-surface lg:grid-cols-[minmax(0,1fr)_minmax(0,1.1fr)]">
      <main className="flex flex-col px-6 py-6 sm:px-10">
        <Link to="/" className="flex items-center gap-2.5 self-start rounded-control">
          <BrandMark />
          <span className="font-semibold text-card tracking-tight">Flamekeep</span>
        </Link>
        <div className="m-auto w-full max-w-sm py-10">
          <h1 className="font-semibold text-[1.625rem] leading-8 tracking-tight">{title}</h1>
          <p className="mt-1.5 mb-7 text-muted">{subtitle}</p>
          {children}
        </div>
      </main>
      <aside
        data-theme="dark"
        className="relative hidden flex-col justify-between overflow-hidden bg-bg text-text lg:flex"
      >
        <p className="relative z-10 max-w-xl px-12 pt-16 font-semibold text-[2rem] leading-10 tracking-tight">
          See which line of your Go service burns the CPU, holds the memory, waits on the lock.
        </p>
        <FlameBackdrop className="h-[58%] w-full" />
      </aside>
    </div>
  );
}

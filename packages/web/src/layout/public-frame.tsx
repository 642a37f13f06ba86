import type { ReactNode } from "react";
import { BrandMark } from "#ui/content/brand.tsx";

/** A page without a session: the name of the product and the content. */
export function PublicFrame({ children }: { readonly children: ReactNode }) {
  return (
    <div className="min-h-dvh bg-bg px-4 py-4 sm:px-6">
      <header className="mx-auto mb-3 flex max-w-[1680px] items-center gap-2 text-muted">
        <BrandMark className="size-5!" />
        Flamekeep
      </header>
      <main className="mx-auto max-w-[1680px]">{children}</main>
    </div>
  );
}

import type { ReactNode } from "react";

/** A key or a combination of keys. */
export function Kbd({ children }: { readonly children: ReactNode }) {
  return (
    <kbd className="inline-flex h-5 items-center whitespace-nowrap rounded-badge border border-line bg-surface-2 px-1.5 font-mono text-label text-muted">
      {children}
    </kbd>
  );
}

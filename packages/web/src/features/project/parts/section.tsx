import type { ReactNode } from "react";

interface SectionProps {
  readonly id: string;
  readonly children: ReactNode;
}

/** A part of the page to which its heading leads. */
export function Section({ id, children }: SectionProps) {
  return (
    <div id={id} className="min-w-0 scroll-mt-24 md:scroll-mt-32">
      {children}
    </div>
  );
}

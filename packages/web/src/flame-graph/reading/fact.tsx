import type { ReactNode } from "react";

interface FactProps {
  readonly label: string;
  readonly percent?: string;
  readonly children: ReactNode;
}

export const factClass = "flex flex-col tabular-nums sm:min-w-24 sm:text-right";

/** A value of a frame under its label, on phones next to it. */
export function Fact({ label, percent, children }: FactProps) {
  return (
    <div className={factClass}>
      <dt className="hidden text-label text-muted sm:block">{label}</dt>
      <dd className="max-sm:text-label">
        <span className="mr-1 text-label text-muted sm:hidden">{label}</span>
        {children}
        {percent !== undefined && <span className="ml-1.5 text-label text-muted">{percent}</span>}
      </dd>
    </div>
  );
}

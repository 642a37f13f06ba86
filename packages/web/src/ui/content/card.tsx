import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

interface CardProps {
  /** For links and scripts that scroll to it. */
  readonly id?: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Card({ id, className, children }: CardProps) {
  return (
    <section id={id} className={cx("rounded-card border border-line bg-surface", className)}>
      {children}
    </section>
  );
}

export interface CardHeaderProps {
  readonly title: ReactNode;
  readonly detail?: ReactNode;
  readonly actions?: ReactNode;
}

export function CardHeader({ title, detail, actions }: CardHeaderProps) {
  return (
    <header className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 pt-3.5 pb-3">
      <div className="min-w-0">
        <h2 className="font-semibold text-card tracking-tight">{title}</h2>
        {detail && <p className="text-label text-muted">{detail}</p>}
      </div>
      {actions}
    </header>
  );
}

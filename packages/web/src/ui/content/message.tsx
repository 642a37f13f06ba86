import { type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

interface MessageProps {
  readonly icon: LucideIcon;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
  readonly tone?: "neutral" | "critical";
  /** h1 if the message replaces the whole page. */
  readonly heading?: "h1" | "h2";
}

/** An empty or failed panel: what happened, why, and the next step. */
export function Message({
  icon: Icon,
  title,
  children,
  actions,
  tone = "neutral",
  heading: Heading = "h2",
}: MessageProps) {
  return (
    <div
      role={tone === "critical" ? "alert" : undefined}
      className="mx-auto flex max-w-lg flex-col items-center px-6 py-12 text-center"
    >
      <span
        className={cx(
          "mb-4 grid size-10 place-items-center rounded-card",
          tone === "critical" ? "bg-critical/10 text-critical-text" : "bg-surface-2 text-muted",
        )}
      >
        <Icon aria-hidden className="size-5" strokeWidth={1.75} />
      </span>
      <Heading className="font-semibold text-card">{title}</Heading>
      {children && (
        <div className="mt-1 flex flex-col gap-1 text-balance text-muted [overflow-wrap:anywhere]">
          {children}
        </div>
      )}
      {actions && <div className="mt-5 flex flex-wrap justify-center gap-2">{actions}</div>}
    </div>
  );
}

interface WarningProps {
  readonly className?: string;
  /** `alert` where it appears after the page. */
  readonly role?: "alert";
  readonly children: ReactNode;
}

/** A warning inside of a dialog or card. */
export function Warning({ className, role, children }: WarningProps) {
  return (
    <p
      role={role}
      className={cx("flex gap-2 rounded-control bg-warning/12 px-3 py-2.5 text-warning-text", className)}
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
      <span>{children}</span>
    </p>
  );
}

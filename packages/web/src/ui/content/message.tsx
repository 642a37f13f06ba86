import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

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
        className={
          tone === "critical"
            ? "mb-4 grid size-10 place-items-center rounded-card bg-critical/10 text-critical-text"
            : "mb-4 grid size-10 place-items-center rounded-card bg-surface-2 text-muted"
        }
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

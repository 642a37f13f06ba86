import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { cx } from "#ui/cx.ts";
import { Badge } from "./badge.tsx";

export type Health = "healthy" | "warning" | "critical";

const marks = {
  healthy: { word: "Healthy", icon: CircleCheck, ink: "text-ok-text", tone: "ok" },
  warning: { word: "Warning", icon: TriangleAlert, ink: "text-warning-text", tone: "warning" },
  critical: { word: "Critical", icon: OctagonAlert, ink: "text-critical-text", tone: "critical" },
} as const;

function WordOfHealth({ health }: { readonly health: Health }) {
  const { word, icon: Icon } = marks[health];
  return (
    <>
      <Icon aria-hidden className="size-3.5" strokeWidth={2} />
      {word}
    </>
  );
}

export function HealthMark({ health }: { readonly health: Health }) {
  return (
    <span className={cx("inline-flex shrink-0 items-center gap-1 font-medium text-label", marks[health].ink)}>
      <WordOfHealth health={health} />
    </span>
  );
}

/** The same with the tint of a badge, for a page's title. */
export function HealthBadge({ health }: { readonly health: Health }) {
  return (
    <Badge tone={marks[health].tone}>
      <WordOfHealth health={health} />
    </Badge>
  );
}

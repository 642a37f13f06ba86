import type { ServiceTrend } from "@flamekeep/contract";
import { CircleCheck, OctagonAlert, TriangleAlert } from "lucide-react";
import { cx } from "#ui/cx.ts";

const marks = {
  healthy: { word: "Healthy", icon: CircleCheck, ink: "text-ok-text" },
  warning: { word: "Warning", icon: TriangleAlert, ink: "text-warning-text" },
  critical: { word: "Critical", icon: OctagonAlert, ink: "text-critical-text" },
} as const;

export function HealthMark({ health }: { readonly health: ServiceTrend["health"] }) {
  const { word, icon: Icon, ink } = marks[health];
  return (
    <span className={cx("inline-flex shrink-0 items-center gap-1 font-medium text-label", ink)}>
      <Icon aria-hidden className="size-3.5" strokeWidth={2} />
      {word}
    </span>
  );
}

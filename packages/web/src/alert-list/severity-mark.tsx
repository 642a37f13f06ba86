import { CircleCheck, Info, type LucideIcon, OctagonAlert, TriangleAlert } from "lucide-react";
import { cx } from "#ui/cx.ts";
import type { Severity } from "./model.ts";

const marks: Record<Severity, { word: string; icon: LucideIcon; ink: string }> = {
  critical: { word: "Critical", icon: OctagonAlert, ink: "text-critical-text" },
  warning: { word: "Warning", icon: TriangleAlert, ink: "text-warning-text" },
  info: { word: "Info", icon: Info, ink: "text-muted" },
  resolved: { word: "Resolved", icon: CircleCheck, ink: "text-muted" },
};

export function SeverityMark({ severity }: { readonly severity: Severity }) {
  const { word, icon: Icon, ink } = marks[severity];
  return (
    <span
      className={cx(
        "inline-flex items-center gap-1.5 align-middle whitespace-nowrap font-medium text-label",
        ink,
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0" strokeWidth={1.75} />
      {word}
    </span>
  );
}

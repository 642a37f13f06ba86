import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

const tones = {
  neutral: "bg-surface-2 text-muted",
  accent: "bg-accent/12 text-accent-text",
  ok: "bg-ok/12 text-ok-text",
  warning: "bg-warning/15 text-warning-text",
  critical: "bg-critical/12 text-critical-text",
};

type BadgeTone = keyof typeof tones;

interface BadgeProps {
  readonly tone?: BadgeTone;
  readonly className?: string;
  readonly title?: string;
  readonly children: ReactNode;
}

export const badgeShape =
  "inline-flex h-5 items-center gap-1 rounded-badge px-1.5 text-label font-medium whitespace-nowrap";

export function Badge({ tone = "neutral", className, title, children }: BadgeProps) {
  return (
    <span title={title} className={cx(badgeShape, tones[tone], className)}>
      {children}
    </span>
  );
}

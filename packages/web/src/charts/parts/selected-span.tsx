import type { TimeSpan } from "#charts/model/series.ts";
import type { PlotBox } from "#charts/plot/create-plot.ts";

interface SelectedSpanProps {
  readonly span: TimeSpan | undefined;
  readonly whole: TimeSpan;
  readonly box: PlotBox;
}

export function SelectedSpan({ span, whole, box }: SelectedSpanProps) {
  if (span === undefined || span.toMs <= whole.fromMs || span.fromMs >= whole.toMs) return null;
  const x = (atMs: number) => positionOf(Math.min(whole.toMs, Math.max(whole.fromMs, atMs)), whole, box);
  const left = x(span.fromMs);
  return (
    <div
      data-selected-span
      className="pointer-events-none absolute border-accent border-x bg-accent/14"
      style={{ left, width: Math.max(2, x(span.toMs) - left), top: box.top, height: box.height }}
    />
  );
}

/** CSS pixels from the left edge of the chart. */
export function positionOf(atMs: number, whole: TimeSpan, box: PlotBox): number {
  return box.left + ((atMs - whole.fromMs) / (whole.toMs - whole.fromMs)) * box.width;
}

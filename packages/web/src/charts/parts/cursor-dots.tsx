import type { Drawing, PlotBox } from "#charts/plot/create-plot.ts";

interface CursorDotsProps {
  readonly drawing: Drawing;
  readonly index: number;
  readonly box: PlotBox;
}

const sizePx = 7;

/** A dot on each line at the bucket under the cursor. */
export function CursorDots({ drawing, index, box }: CursorDotsProps) {
  const { series, timesMs, valueTicks } = drawing;
  const left = box.left + ((index + 0.5) / timesMs.length) * box.width;
  return series.map(({ id, color, values }) => {
    const value = values[index] ?? null;
    if (value === null) return null;
    const top = box.top + (1 - value / valueTicks.top) * box.height;
    return (
      <span
        key={id}
        data-cursor-dot
        className="-translate-1/2 pointer-events-none absolute rounded-full"
        style={{ left, top, width: sizePx, height: sizePx, background: `var(--${color})` }}
      />
    );
  });
}

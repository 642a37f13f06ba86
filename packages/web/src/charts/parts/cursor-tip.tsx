import type { ColoredSeries } from "#charts/model/chart.ts";
import { sortedAt } from "#charts/model/series.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { type ChartUnit, unitText } from "#charts/model/units.ts";
import type { Drawing, PlotBox } from "#charts/plot/create-plot.ts";
import type { Zone } from "#format/wall-time.ts";
import { Swatch } from "./legend.tsx";

interface CursorTipProps {
  readonly series: readonly ColoredSeries[];
  readonly index: number;
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly unit: ChartUnit;
  readonly zone: Zone;
  readonly box: PlotBox;
}

const gapPx = 12;
const rowsMax = 12;

/** The values of the bucket under the cursor, on the side with more room. */
export function CursorTip({ series, index, timesMs, bucketMs, unit, zone, box }: CursorTipProps) {
  const share = (index + 0.5) / timesMs.length;
  const x = box.left + share * box.width;
  const isLeft = share > 0.5;
  const fromMs = timesMs[index] ?? 0;
  const rows = sortedAt(series, index);
  return (
    <div
      aria-hidden
      data-cursor-tip
      className="pointer-events-none absolute z-10 max-w-72 rounded-control border border-line bg-surface px-2.5 py-1.5 text-label shadow-float"
      style={{
        top: box.top,
        ...(isLeft ? { right: `calc(100% - ${x - gapPx}px)` } : { left: x + gapPx }),
      }}
    >
      <p className="mb-0.5 whitespace-nowrap text-muted">{spanText(fromMs, fromMs + bucketMs, zone)}</p>
      <ul>
        {rows.slice(0, rowsMax).map(({ id, label, color, values }) => (
          <li key={id} className="flex items-center gap-1.5">
            <Swatch color={color} />
            <span className="min-w-0 truncate">{label}</span>
            <span data-quantity className="ml-auto whitespace-nowrap pl-3 font-medium">
              {unitText(values[index] ?? null, unit)}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > rowsMax && <p className="text-muted">and {rows.length - rowsMax} more</p>}
    </div>
  );
}

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

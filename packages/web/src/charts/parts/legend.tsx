import type { ReactNode } from "react";
import type { ChartSeries, ColoredSeries } from "#charts/model/chart.ts";
import type { SeriesColor } from "#charts/model/colours.ts";
import { sortedAt } from "#charts/model/series.ts";
import { type ChartUnit, unitText } from "#charts/model/units.ts";
import { cx } from "#ui/cx.ts";

interface LegendProps {
  readonly series: readonly ColoredSeries[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (id: string) => void;
  readonly index: number | null;
  readonly unit: ChartUnit;
  /** Next to the name of a series. */
  readonly actionOf?: ((series: ChartSeries) => ReactNode) | undefined;
}

/** Columns of equal width with room for a value, so that changing values move nothing. */
export function Legend({ series, hidden, onToggle, index, unit, actionOf }: LegendProps) {
  return (
    <ul className="grid min-w-0 flex-1 gap-x-3" style={{ gridTemplateColumns: columnsOf(series, unit) }}>
      {sortedAt(series, index).map(({ id, label, color, values }) => (
        <li key={id} className="flex min-w-0 items-center">
          <button
            type="button"
            aria-pressed={!hidden.has(id)}
            onClick={() => onToggle(id)}
            title={`${label}\nClick to ${hidden.has(id) ? "show" : "hide"}`}
            className={cx(
              "flex h-7 w-full min-w-0 items-center gap-1.5 rounded-badge px-1 text-label max-md:h-10",
              actionOf === undefined ? "max-w-80" : "max-w-44",
              hidden.has(id) ? "text-muted line-through" : "text-text hover:bg-surface-2",
            )}
          >
            <Swatch color={color} isHollow={hidden.has(id)} />
            <span className="min-w-0 truncate">{label}</span>
            {index !== null && !hidden.has(id) && (
              <span data-quantity className="whitespace-nowrap font-medium">
                {unitText(values[index] ?? null, unit)}
              </span>
            )}
          </button>
          {actionOf?.({ id, label, values })}
        </li>
      ))}
    </ul>
  );
}

/** As many columns as fit the longest name with its value; one series takes the whole width. */
function columnsOf(series: readonly ColoredSeries[], unit: ChartUnit): string {
  if (series.length === 1) return "minmax(0, 1fr)";
  const lengths = series.map(({ label, values }) => {
    const last = values.findLast((value) => value !== null) ?? null;
    return label.length + unitText(last, unit).length;
  });
  const widthRem = Math.min(14, 1.9 + 0.45 * Math.max(...lengths));
  return `repeat(auto-fill, minmax(min(100%, ${widthRem.toFixed(2)}rem), 1fr))`;
}

interface SwatchProps {
  readonly color: SeriesColor;
  readonly isHollow?: boolean;
}

export function Swatch({ color, isHollow = false }: SwatchProps) {
  const ink = `var(--${color})`;
  return (
    <span
      aria-hidden
      className="size-2.5 shrink-0 rounded-[2px] border-2"
      style={{ borderColor: ink, background: isHollow ? "transparent" : ink }}
    />
  );
}

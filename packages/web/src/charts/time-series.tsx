import { memo, type ReactNode, Suspense, useDeferredValue, useId, useMemo, useState } from "react";
import { lazyPart } from "#api/import-page.ts";
import type { Zone } from "#format/wall-time.ts";
import type { ChartMarker, ChartSeries, ColoredSeries } from "./model/chart.ts";
import { seriesColor, seriesDash } from "./model/colours.ts";
import { highest, sortedAt, spanOf, stacked, type TimeSpan } from "./model/series.ts";
import { momentText, spanText } from "./model/time-ticks.ts";
import { type ChartUnit, unitText, valueTicks } from "./model/units.ts";
import { ChartMenu } from "./parts/chart-menu.tsx";
import { Legend, Swatch } from "./parts/legend.tsx";
import { MarkerFlags } from "./parts/marker-flags.tsx";
import { SelectedSpan } from "./parts/selected-span.tsx";
import type { ValueTableProps } from "./parts/value-table.tsx";
import type { Drawing, PlotBox } from "./plot/create-plot.ts";
import { usePlot } from "./plot/use-plot.ts";
import { useSelection } from "./plot/use-selection.ts";

interface TimeSeriesProps {
  /** The chart's accessible name. */
  readonly label: string;
  /** Start of each bucket, ascending. Keep the array and the series stable: new ones redraw the chart. */
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly ChartSeries[];
  readonly unit: ChartUnit;
  readonly isStacked?: boolean;
  readonly heightPx?: number;
  readonly markers?: readonly ChartMarker[];
  readonly selected?: TimeSpan | undefined;
  /** Dragging selects whole buckets; a click without dragging clears the selection. */
  readonly onSelect?: (range: TimeSpan | undefined) => void;
  /** Charts with the same name share their cursor. */
  readonly syncGroup?: string;
  readonly zone?: Zone;
  /** Next to the name of a series in the legend. */
  readonly legendActionOf?: ((series: ChartSeries) => ReactNode) | undefined;
}

const defaultHeightPx = 200;
const noMarkers: readonly ChartMarker[] = [];

/** Values over time. Gaps stay gaps: nothing is drawn that was not measured. */
export function TimeSeries(props: TimeSeriesProps) {
  const { label, timesMs, bucketMs, unit, markers = noMarkers, zone = "local", selected, onSelect } = props;
  const { series, visible, hidden, toggle, drawing } = useDrawing(props);
  const { mount, plot, box, index } = usePlot(drawing);
  const selection = useSelection({ plot, timesMs, bucketMs, index, selected, onSelect });
  const help = useId();

  const whole = spanOf(timesMs, bucketMs);
  const cursorText = index === null ? "" : bucketSentence(visible, index, { timesMs, unit, zone });
  const pendingText = selection.pending && spanText(selection.pending.fromMs, selection.pending.toMs, zone);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for form controls
    <div role="group" aria-label={label} className="min-w-0">
      <div className="flex items-start gap-2 pb-1">
        <Legend {...{ series, hidden, index, unit }} onToggle={toggle} actionOf={props.legendActionOf} />
        <ChartMenu {...{ label, timesMs, unit, plot }} series={visible} />
      </div>
      <div
        role="application"
        aria-roledescription="chart"
        aria-label={label}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it takes the arrow keys
        tabIndex={0}
        className="relative rounded-badge"
        style={{ height: drawing.heightPx }}
        {...selection.handlers}
      >
        <div ref={mount} className="absolute inset-0 overflow-hidden contain-strict" />
        {box !== null && (
          <>
            <SelectedSpan
              span={selection.shown}
              whole={whole}
              box={box}
              isAdjustable={selected !== undefined && onSelect !== undefined}
            />
            {index !== null && <CursorDots drawing={drawing} index={index} box={box} />}
            {markers.length > 0 && <MarkerFlags markers={markers} whole={whole} box={box} zone={zone} />}
            {selection.isActive && index !== null && (
              <CursorTip series={visible} {...{ index, timesMs, bucketMs, unit, zone, box }} />
            )}
          </>
        )}
      </div>
      <p id={help} className="sr-only">
        Arrow keys, Home and End move the cursor.
        {onSelect && " With Shift they select a range, Enter applies it, Escape clears it."}
      </p>
      <p aria-live="polite" className="sr-only">
        {selection.isByKeyboard && cursorText}
        {selection.isByKeyboard && pendingText && `. Selected: ${pendingText}`}
      </p>
      <DataTable {...{ label, timesMs, bucketMs, unit, zone, series, markers }} />
    </div>
  );
}

/** The series with their colours, and the drawing of those that are not hidden. */
function useDrawing(props: TimeSeriesProps) {
  const { timesMs, bucketMs, unit, isStacked = false, markers = noMarkers, zone = "local" } = props;
  const { heightPx = defaultHeightPx, syncGroup } = props;
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const series = useMemo(
    () =>
      props.series.map((each, at) => ({
        ...each,
        color: each.color ?? seriesColor(at),
        dash: seriesDash(at),
      })),
    [props.series],
  );
  const visible = useMemo(() => series.filter(({ id }) => !hidden.has(id)), [series, hidden]);
  const drawing = useMemo((): Drawing => {
    const drawn = drawnSeries(visible, isStacked);
    return {
      timesMs,
      bucketMs,
      unit,
      isStacked,
      zone,
      heightPx,
      syncGroup,
      marks: markers,
      series: drawn,
      valueTicks: valueTicks(unit, highest(drawn.map(({ values }) => values))),
    };
  }, [timesMs, bucketMs, unit, isStacked, zone, heightPx, syncGroup, markers, visible]);

  function toggle(id: string) {
    const next = new Set(hidden);
    if (!next.delete(id)) next.add(id);
    setHidden(next);
  }

  return { series, visible, hidden, toggle, drawing };
}

function drawnSeries(visible: readonly ColoredSeries[], isStacked: boolean): Drawing["series"] {
  if (!isStacked) return visible;
  const sums = stacked(visible.map(({ values }) => values));
  return visible.map((each, at) => ({ ...each, values: sums[at]! }));
}

function bucketSentence(
  series: readonly ColoredSeries[],
  index: number,
  { timesMs, unit, zone }: Pick<Drawing, "timesMs" | "unit" | "zone">,
): string {
  const values = series.map(({ label, values }) => `${label} ${unitText(values[index] ?? null, unit)}`);
  return `${momentText(timesMs[index] ?? 0, zone)}: ${values.join(", ")}`;
}

const ValueTable = lazyPart(async () => (await import("./parts/value-table.tsx")).ValueTable);

/** The chart as a table for screen readers. The chart is painted before it is made. */
const DataTable = memo(function DataTable(props: ValueTableProps) {
  const isPainted = useDeferredValue(true, false);
  return (
    isPainted && (
      <Suspense>
        <ValueTable {...props} />
      </Suspense>
    )
  );
});

interface CursorTipProps extends Pick<Drawing, "timesMs" | "bucketMs" | "unit" | "zone"> {
  readonly series: readonly ColoredSeries[];
  readonly index: number;
  readonly box: PlotBox;
}

const gapPx = 12;
const rowsMax = 12;

/** The values of the bucket under the cursor, on the side with more room. */
function CursorTip({ series, index, timesMs, bucketMs, unit, zone, box }: CursorTipProps) {
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
function CursorDots({ drawing, index, box }: CursorDotsProps) {
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

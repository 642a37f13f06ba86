import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plot.css";
import type { ChartMarker, ColoredSeries } from "#charts/model/chart.ts";
import { tokenColour, withOpacity } from "#charts/model/colours.ts";
import { lonePoints, nearestBucket, spanOf, type Values } from "#charts/model/series.ts";
import { type TimeTicks, timeTicks } from "#charts/model/time-ticks.ts";
import type { ChartUnit, ValueTicks } from "#charts/model/units.ts";
import type { Zone } from "#format/wall-time.ts";

/** The values are running sums in a stacked chart. */
type DrawnSeries = Omit<ColoredSeries, "label">;

/** The contents of a plot. A new look needs a new plot; new data does not. */
export interface Drawing {
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly DrawnSeries[];
  readonly unit: ChartUnit;
  readonly valueTicks: ValueTicks;
  readonly isStacked: boolean;
  readonly zone: Zone;
  readonly heightPx: number;
  readonly marks: readonly Pick<ChartMarker, "atMs" | "kind">[];
  readonly syncGroup: string | undefined;
}

/** Where the plotting area lies in the chart, in CSS pixels. */
export interface PlotBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export interface PlotEvents {
  /** Reads the latest drawing: the plot outlives several of them. */
  readonly drawing: () => Drawing;
  readonly onCursor: (index: number | null) => void;
  readonly onLayout: (box: PlotBox) => void;
}

const axisWidthPx = 62;
const tickWidthPx = 58;
/** The label of a tick that is closer to the right edge would be cut off. */
const lastTickPx = 10;
export const plotFont = "11px 'Inter Variable', ui-sans-serif, system-ui, sans-serif";

/**
 * The series in the order in which they are drawn. Stacked ones are drawn from the top: where a series adds nothing, the line of the
 * one below it covers its own.
 */
function inDrawnOrder<T>(series: readonly T[], isStacked: boolean): readonly T[] {
  return isStacked ? series.toReversed() : series;
}

/** The points of a plot of this width. Each is drawn in the middle of its bucket, so that a selected bucket surrounds it. */
export function plotData(
  { timesMs, bucketMs, series, isStacked }: Drawing,
  widthPx: number,
): UPlot.AlignedData {
  const columns = Math.max(1, Math.round((widthPx - axisWidthPx) * UPlot.pxRatio));
  const lines = inDrawnOrder(series, isStacked).map(({ values }) => values);
  const drawn = drawnBuckets(lines, timesMs.length, columns);
  const middle = bucketMs / 2;
  if (drawn === undefined)
    return [timesMs.map((atMs) => atMs + middle), ...lines.map((values) => [...values])];
  return [
    drawn.map((at) => timesMs[at]! + middle),
    ...lines.map((values) => drawn.map((at) => values[at] ?? null)),
  ];
}

export function createPlot(mount: HTMLElement, widthPx: number, events: PlotEvents): UPlot {
  const drawing = events.drawing();
  return new UPlot(plotOptions(drawing, widthPx, events), plotData(drawing, widthPx), mount);
}

function plotOptions(first: Drawing, widthPx: number, events: PlotEvents): UPlot.Options {
  const { drawing, onCursor, onLayout } = events;
  const report = (plot: UPlot) => onLayout(boxOf(plot));
  return {
    width: widthPx,
    height: first.heightPx,
    ms: 1,
    padding: [first.marks.length > 0 ? 20 : 8, 8, 0, 0],
    legend: { show: false },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: true, range: () => xRange(drawing()) },
      y: { range: () => [0, drawing().valueTicks.top] },
    },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      // We handle selection: uPlot supports only the mouse, and zooms out on a double click.
      bind: { mousedown: () => null, mouseup: () => null, dblclick: () => null },
      // Ours: not every bucket has a point of the plot.
      points: { show: false },
      ...(first.syncGroup !== undefined && {
        sync: {
          key: first.syncGroup,
          setSeries: false,
          scales: ["x", null] as const as UPlot.Cursor.Sync.Scales,
        },
      }),
    },
    axes: [timeAxis(drawing), valueAxis(drawing)],
    series: [{}, ...inDrawnOrder(first.series, first.isStacked).map((each) => line(each, first))],
    bands: first.isStacked
      ? first.series.slice(1).map((_, index) => ({ series: [index + 1, index + 2] }))
      : [],
    hooks: {
      ready: [report],
      setSize: [report],
      draw: [(plot) => drawMarks(plot, drawing()), report],
      setCursor: [(plot) => onCursor(bucketAtCursor(plot, drawing()))],
    },
  };
}

function line({ color, dash }: DrawnSeries, { isStacked, series }: Drawing): UPlot.Series {
  const stroke = tokenColour(color);
  const opacity = isStacked ? 0.45 : 0.1;
  return {
    stroke,
    width: 1.5,
    ...(dash !== undefined && { dash }),
    ...((isStacked || series.length === 1) && { fill: withOpacity(stroke, opacity) }),
    points: { show: false, size: 6, fill: stroke, filter: loneOnly },
  };
}

function loneOnly(plot: UPlot, seriesIndex: number): number[] | null {
  const lone = lonePoints(plot.data[seriesIndex] ?? []);
  return lone.length === 0 ? null : lone;
}

function xRange({ timesMs, bucketMs }: Drawing): [number, number] {
  const { fromMs, toMs } = spanOf(timesMs, bucketMs);
  return [fromMs, toMs];
}

function bucketAtCursor(plot: UPlot, { timesMs, bucketMs }: Drawing): number | null {
  const { left = -1 } = plot.cursor;
  if (left < 0 || timesMs.length === 0) return null;
  return nearestBucket(timesMs, bucketMs, plot.posToVal(left, "x"));
}

const grid = () => ({ stroke: () => tokenColour("line"), width: 1 });

function timeAxis(drawing: () => Drawing): UPlot.Axis {
  let made: { readonly of: Drawing; readonly widthPx: number; readonly ticks: TimeTicks } | undefined;
  // The plot asks several times for each drawing.
  const ticks = (plot: UPlot) => {
    const of = drawing();
    const plotWidthPx = (plot.width || 600) - axisWidthPx;
    const max = Math.max(2, Math.min(6, Math.floor(plotWidthPx / tickWidthPx)));
    if (made?.of === of && made.widthPx === plotWidthPx) return made.ticks;
    const range = { ...spanOf(of.timesMs, of.bucketMs), lastPointMs: of.timesMs.at(-1) ?? 0 };
    const edgeMs = (lastTickPx * (range.toMs - range.fromMs)) / plotWidthPx;
    made = {
      of,
      widthPx: plotWidthPx,
      ticks: ticksBefore(timeTicks(range, of.zone, max), range.toMs - edgeMs),
    };
    return made.ticks;
  };
  return {
    font: plotFont,
    size: (plot) => (ticks(plot).lines === 2 ? 38 : 24),
    gap: 4,
    lineGap: 1.2,
    stroke: () => tokenColour("muted"),
    splits: (plot) => [...ticks(plot).timesMs],
    values: (plot) => [...ticks(plot).texts],
    grid: { show: false },
    ticks: { ...grid(), size: 4 },
  };
}

function ticksBefore({ timesMs, texts, lines }: TimeTicks, endMs: number): TimeTicks {
  const shown = timesMs.filter((atMs) => atMs <= endMs).length;
  return { timesMs: timesMs.slice(0, shown), texts: texts.slice(0, shown), lines };
}

function valueAxis(drawing: () => Drawing): UPlot.Axis {
  return {
    font: plotFont,
    size: axisWidthPx,
    gap: 6,
    stroke: () => tokenColour("muted"),
    splits: () => [...drawing().valueTicks.values],
    values: () => [...drawing().valueTicks.texts],
    grid: grid(),
    ticks: { show: false },
  };
}

/** Deploys and alerts as vertical lines, on the canvas so that an exported picture has them. */
function drawMarks(plot: UPlot, { marks, timesMs, bucketMs }: Drawing): void {
  const { fromMs, toMs } = spanOf(timesMs, bucketMs);
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = UPlot.pxRatio;
  for (const { atMs, kind } of marks) {
    if (atMs < fromMs || atMs > toMs) continue;
    const x = Math.round(plot.valToPos(atMs, "x", true)) + 0.5;
    ctx.strokeStyle = tokenColour(kind === "alert" ? "critical" : "muted");
    ctx.setLineDash(kind === "alert" ? [] : [3 * UPlot.pxRatio, 3 * UPlot.pxRatio]);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

/** From uPlot's own figures: asking the page would make the browser lay it out once for each chart. */
function boxOf({ bbox }: UPlot): PlotBox {
  const px = UPlot.pxRatio;
  return { left: bbox.left / px, top: bbox.top / px, width: bbox.width / px, height: bbox.height / px };
}

/**
 * Buckets whose points draw the same picture as all of them, when several share a column of pixels: of each stretch of values
 * within a column the lowest and the highest one, of each gap one, and the first and the last bucket. Undefined if every
 * bucket has enough room.
 */
export function drawnBuckets(
  series: readonly Values[],
  buckets: number,
  columns: number,
): number[] | undefined {
  if (buckets <= 2 * columns) return undefined;
  const isDrawn = new Uint8Array(buckets);
  isDrawn[0] = 1;
  isDrawn[buckets - 1] = 1;
  for (const values of series) markExtremes(values, isDrawn, columns);
  const drawn: number[] = [];
  for (let at = 0; at < buckets; at++) if (isDrawn[at] === 1) drawn.push(at);
  return drawn;
}

function markExtremes(values: Values, isDrawn: Uint8Array, columns: number): void {
  let from = 0;
  for (let column = 1; column <= columns; column++) {
    // Multiplied first: the width of a column is rounded, and its multiple may exceed the whole number that it should be.
    const end = Math.ceil((column * isDrawn.length) / columns);
    while (from < end) from = markStretch(values, isDrawn, from, end);
  }
}

/** Marks what is drawn of the values, or of the gap, that begins at `from`, and returns where it is over. */
function markStretch(values: Values, isDrawn: Uint8Array, from: number, end: number): number {
  let lowest = values[from] ?? null;
  if (lowest === null) {
    isDrawn[from] = 1;
    let at = from + 1;
    while (at < end && (values[at] ?? null) === null) at++;
    return at;
  }
  let highest = lowest;
  let lowestAt = from;
  let highestAt = from;
  let at = from + 1;
  for (; at < end; at++) {
    const value = values[at] ?? null;
    if (value === null) break;
    if (value < lowest) {
      lowest = value;
      lowestAt = at;
    } else if (value > highest) {
      highest = value;
      highestAt = at;
    }
  }
  isDrawn[lowestAt] = 1;
  isDrawn[highestAt] = 1;
  return at;
}

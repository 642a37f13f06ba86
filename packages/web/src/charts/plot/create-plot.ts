import UPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import "./plot.css";
import { type SeriesColor, tokenColour, withOpacity } from "#charts/colours.ts";
import { highest, lonePoints, spanOf, type Values } from "#charts/model/series.ts";
import { timeTicks } from "#charts/model/time-ticks.ts";
import { type ChartUnit, valueTicks } from "#charts/model/units.ts";
import type { Zone } from "#format/wall-time.ts";

interface DrawnSeries {
  readonly color: SeriesColor;
  readonly dash: number[] | undefined;
  /** Running sums in a stacked chart. */
  readonly values: Values;
}

/** The contents of a plot. A new look needs a new plot; new data does not. */
export interface Drawing {
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly DrawnSeries[];
  readonly unit: ChartUnit;
  readonly isStacked: boolean;
  readonly zone: Zone;
  readonly heightPx: number;
  readonly marks: readonly { readonly atMs: number; readonly kind: "deploy" | "alert" }[];
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
export const plotFont = "11px 'Inter Variable', ui-sans-serif, system-ui, sans-serif";

/** A point is drawn in the middle of its bucket, so that a selected bucket surrounds it. */
export function plotData({ timesMs, bucketMs, series }: Drawing): UPlot.AlignedData {
  return [timesMs.map((atMs) => atMs + bucketMs / 2), ...series.map(({ values }) => [...values])];
}

export function createPlot(mount: HTMLElement, widthPx: number, events: PlotEvents): UPlot {
  const drawing = events.drawing();
  return new UPlot(plotOptions(drawing, widthPx, events), plotData(drawing), mount);
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
      y: { range: () => [0, yTicks(drawing()).top] },
    },
    cursor: {
      y: false,
      drag: { x: false, y: false, setScale: false },
      // We handle selection: uPlot supports only the mouse, and zooms out on a double click.
      bind: { mousedown: () => null, mouseup: () => null, dblclick: () => null },
      points: { size: 7 },
      ...(first.syncGroup !== undefined && {
        sync: {
          key: first.syncGroup,
          setSeries: false,
          scales: ["x", null] as const as UPlot.Cursor.Sync.Scales,
        },
      }),
    },
    axes: [timeAxis(drawing), valueAxis(drawing)],
    series: [{}, ...first.series.map((each) => line(each, first))],
    bands: first.isStacked
      ? first.series.slice(1).map((_, index) => ({ series: [index + 2, index + 1] }))
      : [],
    hooks: {
      ready: [report],
      setSize: [report],
      draw: [(plot) => drawMarks(plot, drawing()), report],
      setCursor: [({ cursor }) => onCursor(cursor.idx ?? null)],
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

function yTicks({ series, unit }: Drawing) {
  return valueTicks(unit, highest(series.map(({ values }) => values)));
}

const grid = () => ({ stroke: () => tokenColour("line"), width: 1 });

function timeAxis(drawing: () => Drawing): UPlot.Axis {
  const ticks = (plot: UPlot) => {
    const { timesMs, bucketMs, zone } = drawing();
    const range = { ...spanOf(timesMs, bucketMs), lastPointMs: timesMs.at(-1) ?? 0 };
    const plotWidth = (plot.width || 600) - axisWidthPx;
    return timeTicks(range, zone, Math.max(2, Math.min(6, Math.floor(plotWidth / tickWidthPx))));
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

function valueAxis(drawing: () => Drawing): UPlot.Axis {
  return {
    font: plotFont,
    size: axisWidthPx,
    gap: 6,
    stroke: () => tokenColour("muted"),
    splits: () => [...yTicks(drawing()).values],
    values: () => [...yTicks(drawing()).texts],
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

import UPlot from "uplot";
import type { ColoredSeries } from "#charts/chart.ts";
import { tokenColour } from "#charts/colours.ts";

const paddingPx = 16;
const titlePx = 22;
const legendRowPx = 20;

/** The chart with its title and legend as a PNG in the colours of the current theme; null if the browser refuses. */
export function chartPicture(
  plot: UPlot,
  title: string,
  series: readonly ColoredSeries[],
): Promise<Blob | null> {
  const scale = UPlot.pxRatio;
  const chart = plot.ctx.canvas;
  const width = chart.width / scale + 2 * paddingPx;
  const canvas = document.createElement("canvas");
  const context = canvas.getContext("2d");
  if (context === null) return Promise.resolve(null);
  const entries = legendEntries(context, series, width - 2 * paddingPx);
  const legendPx = ((entries.at(-1)?.row ?? 0) + 1) * legendRowPx;
  canvas.width = width * scale;
  canvas.height = (2 * paddingPx + titlePx + legendPx) * scale + chart.height;
  context.scale(scale, scale);
  context.fillStyle = tokenColour("surface");
  context.fillRect(0, 0, width, canvas.height / scale);
  context.textBaseline = "top";
  context.fillStyle = tokenColour("text");
  context.font = titleFont;
  context.fillText(title, paddingPx, paddingPx);
  context.font = legendFont;
  for (const { label, color, left, row } of entries) {
    const top = paddingPx + titlePx + row * legendRowPx;
    context.fillStyle = tokenColour(color);
    context.fillRect(paddingPx + left, top + 1, 10, 10);
    context.fillStyle = tokenColour("text");
    context.fillText(label, paddingPx + left + 16, top);
  }
  const chartTop = paddingPx + titlePx + legendPx;
  context.drawImage(chart, paddingPx, chartTop, chart.width / scale, chart.height / scale);
  return new Promise((resolve) => canvas.toBlob(resolve));
}

const family = "'Inter Variable', ui-sans-serif, system-ui, sans-serif";
const titleFont = `600 14px ${family}`;
const legendFont = `12px ${family}`;

interface LegendEntry {
  readonly label: string;
  readonly color: string;
  readonly left: number;
  readonly row: number;
}

function legendEntries(
  context: CanvasRenderingContext2D,
  series: readonly ColoredSeries[],
  width: number,
): LegendEntry[] {
  context.font = legendFont;
  const entries: LegendEntry[] = [];
  let left = 0;
  let row = 0;
  for (const { label, color } of series) {
    const entryWidth = 16 + context.measureText(label).width + 20;
    if (left > 0 && left + entryWidth > width) {
      left = 0;
      row++;
    }
    entries.push({ label, color, left, row });
    left += entryWidth;
  }
  return entries;
}

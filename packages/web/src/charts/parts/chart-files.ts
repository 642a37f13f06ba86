import { csvLine } from "@flamekeep/contract/csv";
import UPlot from "uplot";
import { saveFile } from "#api/save-file.ts";
import type { ColoredSeries } from "#charts/model/chart.ts";
import { tokenColour } from "#charts/model/colours.ts";
import type { Values } from "#charts/model/series.ts";
import { type ChartUnit, rawUnits } from "#charts/model/units.ts";
import { exactSpan } from "#format/time.ts";
import type { Zone } from "#format/wall-time.ts";

export interface ExportedChart {
  readonly label: string;
  readonly timesMs: readonly number[];
  readonly unit: ChartUnit;
  readonly series: readonly ColoredSeries[];
}

function fileName(label: string): string {
  return label.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-");
}

/** False if the browser makes no picture. */
export async function savePicture(
  plot: UPlot | null,
  { label, timesMs, series }: ExportedChart,
  zone: Zone,
): Promise<boolean> {
  // Its axis has neither year nor zone.
  const [from, to] = [timesMs[0] ?? 0, timesMs.at(-1) ?? 0].map((ms) => new Date(ms).toISOString());
  const title = `${label}, ${exactSpan(from!, to!, zone)}`;
  const picture = plot === null ? null : await chartPicture(plot, title, series);
  if (picture !== null) saveFile(`${fileName(label)}.png`, picture);
  return picture !== null;
}

export function saveValues({ label, timesMs, series, unit }: ExportedChart): void {
  saveFile(`${fileName(label)}.csv`, new Blob([csvText(timesMs, series, unit)], { type: "text/csv" }));
}

/** One row per bucket with its start in UTC; a gap is an empty cell. */
export function csvText(
  timesMs: readonly number[],
  series: readonly { readonly label: string; readonly values: Values }[],
  unit: ChartUnit,
): string {
  const header = csvLine(["time", ...series.map(({ label }) => `${label} (${rawUnits[unit]})`)]);
  const rows = timesMs.map((atMs, index) =>
    csvLine([new Date(atMs).toISOString(), ...series.map(({ values }) => values[index] ?? null)]),
  );
  return header + rows.join("");
}

const paddingPx = 16;
const titlePx = 22;
const legendRowPx = 20;

/** The chart with its title and legend as a PNG in the colours of the current theme; null if the browser refuses. */
function chartPicture(plot: UPlot, title: string, series: readonly ColoredSeries[]): Promise<Blob | null> {
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

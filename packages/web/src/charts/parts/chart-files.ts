import type UPlot from "uplot";
import { saveFile } from "#api/save-file.ts";
import type { ColoredSeries } from "#charts/chart.ts";
import { csvText } from "#charts/model/csv.ts";
import type { ChartUnit } from "#charts/model/units.ts";
import { exactSpan } from "#format/time.ts";
import type { Zone } from "#format/wall-time.ts";
import { chartPicture } from "./chart-picture.ts";

interface ExportedChart {
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

import type { Values } from "./series.ts";
import { type ChartUnit, rawUnits } from "./units.ts";

/** Names come from uploads: spreadsheets run a cell that begins like a formula, so such a cell gets an apostrophe first. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One row per bucket with its start in UTC; a gap is an empty cell. */
export function csvText(
  timesMs: readonly number[],
  series: readonly { readonly label: string; readonly values: Values }[],
  unit: ChartUnit,
): string {
  const header = ["time", ...series.map(({ label }) => cell(`${label} (${rawUnits[unit]})`))];
  const rows = timesMs.map((atMs, index) => [
    new Date(atMs).toISOString(),
    ...series.map(({ values }) => String(values[index] ?? "")),
  ]);
  return `${[header, ...rows].map((cells) => cells.join(",")).join("\r\n")}\r\n`;
}

import { csvLine } from "@flamekeep/contract/csv";
import type { Values } from "./series.ts";
import { type ChartUnit, rawUnits } from "./units.ts";

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

import { isMeasured, type Values } from "./series.ts";

/** Rows of the table for screen readers: at most `max`, each with the highest values of a stretch of buckets. */
export function tableRows(
  timesMs: readonly number[],
  series: readonly Values[],
  max: number,
): { readonly bucketsPerRow: number; readonly rows: { readonly atMs: number; readonly values: Values }[] } {
  const bucketsPerRow = Math.max(1, Math.ceil(timesMs.length / max));
  const rows = [];
  for (let from = 0; from < timesMs.length; from += bucketsPerRow) {
    const values = series.map((each) => {
      const measured = each.slice(from, from + bucketsPerRow).filter(isMeasured);
      return measured.length === 0 ? null : measured.reduce((a, b) => Math.max(a, b));
    });
    rows.push({ atMs: timesMs[from]!, values });
  }
  return { bucketsPerRow, rows };
}

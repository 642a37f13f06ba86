/** One number of a bench. */
export interface Measurement {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
  /** Ratios and counts are held to their bar; absolute times differ between machines and only show it. */
  readonly bar?: Bar;
}

export interface Bar {
  readonly kind: "at most" | "at least";
  readonly value: number;
  /** Whether missing it fails the run. */
  readonly isHeld: boolean;
}

export interface BenchResult {
  readonly name: string;
  /** The input: number, kind and size of the profiles. */
  readonly input: string;
  readonly measurements: readonly Measurement[];
}

export const atMost = (value: number, isHeld = false): Bar => ({ kind: "at most", value, isHeld });
export const atLeast = (value: number, isHeld = false): Bar => ({ kind: "at least", value, isHeld });

export function meetsBar({ value, bar }: Measurement): boolean {
  if (bar === undefined) return true;
  return bar.kind === "at most" ? value <= bar.value : value >= bar.value;
}

/** A table for people: one line a number. */
export function toTable(results: readonly BenchResult[]): string {
  const rows = results.flatMap(({ name, measurements }) =>
    measurements.map((each) => [
      name,
      each.what,
      `${rounded(each.value)} ${each.unit}`.trim(),
      each.bar === undefined ? "" : `${each.bar.kind} ${each.bar.value}`,
      each.bar === undefined ? "" : meetsBar(each) ? "met" : "missed",
    ]),
  );
  const all = [["bench", "what", "measured", "bar", ""], ...rows];
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function rounded(value: number): string {
  if (Number.isInteger(value)) return String(value);
  return Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3);
}

/** The value below which `share` of the sorted values lie. */
export function quantile(values: readonly number[], share: number): number {
  if (values.length === 0) throw new Error("no values to take a quantile of");
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

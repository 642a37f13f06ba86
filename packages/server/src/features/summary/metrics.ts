import type { Summary } from "@flamekeep/contract";
import type { TotalsRow } from "#store/column/column-store.ts";
import { quantileOf } from "#store/column/read/histogram.ts";

type Metrics = Summary["performance_metrics"];

const bytesPerMib = 2 ** 20;

/** Means weighted by time, and percentiles and peaks over single profiles. */
export function toMetrics(rows: readonly TotalsRow[]): Metrics {
  return {
    cpu: toCpu(rows.filter(({ type }) => type === "cpu")),
    memory: toMemory(rows.filter(({ type }) => type === "memory")),
  };
}

type Figure = "profiles" | "samples" | "durationMs" | "amount" | "weight" | "allocations" | "allocated";

function sum(rows: readonly TotalsRow[], figure: Figure): number {
  return rows.reduce((total, row) => total + row[figure], 0);
}

function peak(rows: readonly TotalsRow[], figure: "peak" | "peakAllocated"): number {
  return rows.reduce((highest, row) => Math.max(highest, row[figure]), Number.NEGATIVE_INFINITY);
}

function toCpu(rows: readonly TotalsRow[]): Metrics["cpu"] {
  const timed = rows.filter(({ weight }) => weight > 0);
  if (timed.length === 0) return null;
  const highest = peak(timed, "peak");
  return {
    avg_cpu_percent: sum(timed, "amount") / sum(timed, "weight"),
    p95_cpu_percent: quantileOf(timed, 0.95, highest),
    peak_cpu_percent: highest,
    avg_duration_ms: sum(rows, "durationMs") / sum(rows, "profiles"),
    total_samples: sum(rows, "samples"),
  };
}

function toMemory(rows: readonly TotalsRow[]): Metrics["memory"] {
  const inUse = rows.filter(({ weight }) => weight > 0);
  const allocating = rows.filter(({ allocations }) => allocations > 0);
  if (inUse.length === 0 && allocating.length === 0) return null;
  const mb = (from: readonly TotalsRow[], bytes: () => number) =>
    from.length === 0 ? null : bytes() / bytesPerMib;
  const highest = peak(allocating, "peakAllocated");
  return {
    avg_heap_in_use_mb: mb(inUse, () => sum(inUse, "amount") / sum(inUse, "weight")),
    peak_heap_in_use_mb: mb(inUse, () => peak(inUse, "peak")),
    avg_heap_alloc_mb: mb(allocating, () => sum(allocating, "allocated") / sum(allocating, "allocations")),
    p95_heap_alloc_mb: mb(allocating, () => quantileOf(allocating, 0.95, highest)),
    peak_heap_alloc_mb: mb(allocating, () => highest),
  };
}

import type { TotalsRow } from "./profile-totals-queries.ts";

type Sums = { -readonly [K in keyof TotalsRow]: TotalsRow[K] };

/** Cuts move with the clock, so that old ones are not needed again. */
const cutsCachedMax = 8;

const merged = new WeakMap<readonly TotalsRow[], Map<string, readonly TotalsRow[]>>();

/**
 * Merges rows of the same service and type that begin between the same two `cuts` (Unix seconds, ascending). The result
 * is cached as long as the rows are, because the same day is read again and again.
 */
export function mergeRows(rows: readonly TotalsRow[], cuts: readonly number[]): readonly TotalsRow[] {
  const byCuts = merged.get(rows) ?? new Map<string, readonly TotalsRow[]>();
  merged.set(rows, byCuts);
  const key = cuts.join();
  const cached = byCuts.get(key);
  if (cached !== undefined) return cached;
  const sums = merge(rows, cuts);
  if (byCuts.size >= cutsCachedMax) byCuts.clear();
  byCuts.set(key, sums);
  return sums;
}

function merge(rows: readonly TotalsRow[], cuts: readonly number[]): TotalsRow[] {
  const groups = Map.groupBy(rows, ({ service, type, startSeconds }) => {
    const part = cuts.findLastIndex((cut) => cut <= startSeconds);
    return `${part} ${type} ${service}`;
  });
  return [...groups.values()].map((group) => group.slice(1).reduce(add, { ...group[0]! }));
}

function add(sums: Sums, row: TotalsRow): Sums {
  sums.startSeconds = Math.min(sums.startSeconds, row.startSeconds);
  sums.profiles += row.profiles;
  sums.earliestMs = Math.min(sums.earliestMs, row.earliestMs);
  sums.latestMs = Math.max(sums.latestMs, row.latestMs);
  sums.samples += row.samples;
  sums.durationMs += row.durationMs;
  if (row.weight > 0) sums.peak = sums.weight > 0 ? Math.max(sums.peak, row.peak) : row.peak;
  sums.amount += row.amount;
  sums.weight += row.weight;
  sums.allocations += row.allocations;
  sums.allocated += row.allocated;
  sums.peakAllocated = Math.max(sums.peakAllocated, row.peakAllocated);
  sums.bins = [...sums.bins, ...row.bins];
  sums.binProfiles = [...sums.binProfiles, ...row.binProfiles];
  return sums;
}

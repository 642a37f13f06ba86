import { findSampleType } from "@flamekeep/contract/profile-types";
import type { ValueType } from "#model/stack-table.ts";

/** Index of the sample type (unit count) that counts the samples of another, itself where that is a count; -1 where none does. */
export function countColumn(sampleTypes: readonly ValueType[], index: number): number {
  const measured = sampleTypes[index];
  if (measured === undefined) return -1;
  if (measured.unit === "count") return index;
  const counts = findSampleType(measured.type.toLowerCase())?.countedBy ?? [];
  return sampleTypes.findIndex(({ type, unit }) => unit === "count" && counts.includes(type));
}

export interface CountedTotals {
  readonly sampleTypes: readonly ValueType[];
  /** By sample type. */
  readonly totals: readonly (number | bigint)[];
  readonly stackCount: number;
}

/**
 * How many samples a profile has, for one of its sample types: the total of the matching count (CPU samples,
 * contentions, objects, goroutines), and where nothing was counted the number of distinct stacks. Not the number of records,
 * which depends on how a profiler writes equal stacks.
 */
export function sampleCountOf({ sampleTypes, totals, stackCount }: CountedTotals, index: number): number {
  const column = countColumn(sampleTypes, index);
  return column === -1 ? stackCount : Number(totals[column] ?? 0);
}

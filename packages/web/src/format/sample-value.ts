import { findProfileType, findSampleType } from "@flamekeep/contract";
import type { Measure } from "./measure.ts";
import { bytesMeasure, durationMeasure } from "./measure.ts";
import { countMeasure } from "./number.ts";

/** The length of each unit of time that profiles have. */
export const nanosecondsPer: Readonly<Record<string, number>> = {
  nanoseconds: 1,
  microseconds: 1e3,
  milliseconds: 1e6,
  seconds: 1e9,
};

/** A value of a pprof sample type in a readable unit. */
export function sampleMeasure(value: number, unit: string): Measure {
  const ns = nanosecondsPer[unit];
  if (ns !== undefined) return durationMeasure(value * ns);
  if (unit === "bytes") return bytesMeasure(value);
  return countMeasure(value, unit === "count" || unit === "" ? "" : unit);
}

/** As `sampleMeasure`, but names the unit of a plain count after its type: `65 goroutines`. */
export function namedSampleMeasure(value: number, type: string, unit: string): Measure {
  if (unit !== "count" || type === "") return sampleMeasure(value, unit);
  if (type === "threadcreate") return countMeasure(value, value === 1 ? "thread created" : "threads created");
  if (type === "goroutineleak") return countMeasure(value, value === 1 ? "goroutine" : "goroutines");
  // perf's events have the types `cycles_sample` and `cycles_event`.
  if (type.endsWith("_sample")) return countMeasure(value, value === 1 ? "sample" : "samples");
  const counted = type.replace(/(?<=s)_event$/, "");
  // Programs name their own types like `shop/open_carts`.
  const name = counted.slice(counted.lastIndexOf("/") + 1).replaceAll("_", " ");
  const many = name.endsWith("s") ? name : `${name}s`;
  return countMeasure(value, value === 1 ? many.slice(0, -1) : many);
}

export interface SampleTotal {
  readonly type: string;
  readonly unit: string;
  readonly total: number;
}

/** The sample type whose total represents a profile in lists. The default is the last one, as in pprof. */
export function mainSample(profileType: string, totals: readonly SampleTotal[]): SampleTotal | undefined {
  const { measuredBy = [], alsoHas = [] } = findProfileType(profileType) ?? {};
  for (const name of [...measuredBy, ...alsoHas]) {
    const found = totals.find(({ type }) => type === name.split("/")[0]);
    if (found !== undefined) return found;
  }
  return totals.at(-1);
}

export function sampleTypeLabel(type: string): string {
  return findSampleType(type)?.label ?? type;
}

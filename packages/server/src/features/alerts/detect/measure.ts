import type { ProfileType } from "@flamekeep/profile";

/** How the measured value of a profile type is compared, and the smallest rise that opens an alert. */
export interface Measure {
  /** A rate is divided by the profile's duration; a gauge is a count at one moment and stays as it is. */
  readonly kind: "rate" | "gauge";
  /** In the unit of the measured value. */
  readonly riseMin: number;
}

const nanosecond = 1;
const millisecond = 1_000_000 * nanosecond;
const MiB = 1024 * 1024;

/**
 * Small absolute rises open no alert, whatever their percentage: 10 ms of CPU or of waiting per second, 1 MiB, five
 * goroutines. Memory is the memory in use, because allocation follows CPU, and object counts follow bytes.
 */
const measures = {
  cpu: { kind: "rate", riseMin: 10 * millisecond },
  memory: { kind: "gauge", riseMin: MiB },
  goroutine: { kind: "gauge", riseMin: 5 },
  mutex: { kind: "rate", riseMin: 10 * millisecond },
  block: { kind: "rate", riseMin: 10 * millisecond },
} satisfies Partial<Record<ProfileType, Measure>>;

export const measuredTypes = Object.keys(measures) as (keyof typeof measures)[];

export function measureOf(type: string): Measure {
  const measure: Measure | undefined = Object.hasOwn(measures, type)
    ? measures[type as keyof typeof measures]
    : undefined;
  if (measure === undefined) throw new Error(`profiles of type ${type} are not measured`);
  return measure;
}

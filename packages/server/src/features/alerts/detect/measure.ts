/** The measured value of each profile type: its sample type, its unit and the smallest rise that opens an alert. */

export interface Measure {
  /** `type/unit` as stored; the first one that a profile has is used. */
  readonly sampleTypes: readonly string[];
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
export const measures: Readonly<Record<string, Measure>> = {
  cpu: { sampleTypes: ["cpu/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
  memory: { sampleTypes: ["inuse_space/bytes", "space/bytes"], kind: "gauge", riseMin: MiB },
  goroutine: { sampleTypes: ["goroutine/count", "goroutines/count"], kind: "gauge", riseMin: 5 },
  mutex: { sampleTypes: ["delay/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
  block: { sampleTypes: ["delay/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
};

export const measuredSampleTypes: readonly string[] = Object.values(measures).flatMap(
  (each) => each.sampleTypes,
);

export function measureOf(type: string): Measure {
  const measure = measures[type];
  if (measure === undefined) throw new Error(`profiles of type ${type} are not measured`);
  return measure;
}

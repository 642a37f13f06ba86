/** What is judged of each type of profile, in which unit, and from which rise on it is worth telling. */

export interface Measure {
  /** `type/unit` as stored; the first that a profile has counts. */
  readonly sampleTypes: readonly string[];
  /** A rate is divided by the profile's seconds; a gauge says what exists at one moment and stays as it is. */
  readonly kind: "rate" | "gauge";
  /** In the unit of the judged value. */
  readonly riseMin: number;
}

const nanosecond = 1;
const millisecond = 1_000_000 * nanosecond;
const MiB = 1024 * 1024;

/**
 * Small absolute rises stay silent whatever they are in percent: 10 ms of CPU or of waiting a second, 1 MiB, five
 * goroutines. Memory is what is in use: allocation follows CPU, and object counts follow bytes.
 */
export const measures: Readonly<Record<string, Measure>> = {
  cpu: { sampleTypes: ["cpu/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
  memory: { sampleTypes: ["inuse_space/bytes", "space/bytes"], kind: "gauge", riseMin: MiB },
  goroutine: { sampleTypes: ["goroutine/count", "goroutines/count"], kind: "gauge", riseMin: 5 },
  mutex: { sampleTypes: ["delay/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
  block: { sampleTypes: ["delay/nanoseconds"], kind: "rate", riseMin: 10 * millisecond },
};

export const judgedSampleTypes: readonly string[] = Object.values(measures).flatMap(
  (each) => each.sampleTypes,
);

export function measureOf(type: string): Measure {
  const measure = measures[type];
  if (measure === undefined) throw new Error(`profiles of type ${type} are not judged`);
  return measure;
}

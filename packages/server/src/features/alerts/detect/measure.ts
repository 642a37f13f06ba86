import { isGauge, measuredSampleTypes, type ProfileType } from "@flamekeep/profile";

/** How the values of a series are compared, and the smallest rise that opens an alert. */
export interface Measure {
  /** A rate is divided by the profile's duration; a gauge is a count at one moment and stays as it is. */
  readonly kind: "rate" | "gauge";
  /** In the unit of the measured value. */
  readonly riseMin: number;
  /** Any value above zero is a fault: it needs no comparison. */
  readonly isFault?: true;
}

export interface WatchedSeries extends Measure {
  readonly type: ProfileType;
  readonly sampleType: string;
}

const nanosecond = 1;
const millisecond = 1_000_000 * nanosecond;
const MiB = 1024 * 1024;

/**
 * Small absolute rises open no alert, whatever their percentage: 10 ms of CPU or of waiting per second, 1 MiB, five
 * goroutines.
 */
const measures = {
  cpu: { kind: "rate", riseMin: 10 * millisecond },
  memory: { kind: "gauge", riseMin: MiB },
  goroutine: { kind: "gauge", riseMin: 5 },
  mutex: { kind: "rate", riseMin: 10 * millisecond },
  block: { kind: "rate", riseMin: 10 * millisecond },
} satisfies Partial<Record<ProfileType, Measure>>;

const allocation: WatchedSeries = {
  type: "memory",
  sampleType: "alloc_space/bytes",
  kind: "rate",
  riseMin: MiB,
};

/** The garbage collector proves that nothing can wake these goroutines. */
const leaks: readonly WatchedSeries[] = measuredSampleTypes.goroutine_leak.map((sampleType) => ({
  type: "goroutine_leak",
  sampleType,
  kind: "gauge",
  riseMin: 1,
  isFault: true,
}));

/** Custom profiles count or hold what the program says; five of it, or 1 MiB. */
const customRiseMin: Readonly<Record<string, number>> = { count: 5, bytes: MiB };

type MeasuredType = keyof typeof measures;

const main: readonly WatchedSeries[] = (Object.keys(measures) as MeasuredType[]).flatMap((type) =>
  measuredSampleTypes[type].map((sampleType) => ({ type, sampleType, ...measures[type] })),
);

/** The series that are watched of every service. Object counts follow bytes. */
export const watchedSeries: readonly WatchedSeries[] = [...main, allocation, ...leaks];

/** How a sample type of a custom profile is watched; undefined unless it counts or holds something at one moment. */
export function customSeries(sampleType: string): WatchedSeries | undefined {
  const slash = sampleType.lastIndexOf("/");
  const valueType = { type: sampleType.slice(0, slash), unit: sampleType.slice(slash + 1) };
  const riseMin = Object.hasOwn(customRiseMin, valueType.unit) ? customRiseMin[valueType.unit] : undefined;
  return riseMin === undefined || !isGauge(valueType)
    ? undefined
    : { type: "custom", sampleType, kind: "gauge", riseMin };
}

export function measureOf(type: string, sampleType: string): Measure {
  const measure =
    type === "custom"
      ? customSeries(sampleType)
      : watchedSeries.find((each) => each.type === type && each.sampleType === sampleType);
  if (measure === undefined) throw new Error(`${sampleType} of ${type} profiles is not watched`);
  return measure;
}

/**
 * Whether the series helps to distinguish traffic from a regression. Allocation is left out: code that allocates more also
 * uses more CPU and memory, and would look like traffic together with them.
 */
export function isMainSeries({ type, sampleType }: { readonly type: string; readonly sampleType: string }) {
  return main.some((each) => each.type === type && each.sampleType === sampleType);
}

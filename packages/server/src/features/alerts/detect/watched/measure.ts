import { type ProfileType, profileTypeEntry, profileTypes, type WatchedValues } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";

export interface WatchedSeries extends WatchedValues {
  readonly type: ProfileType;
}

const watched = profileTypes.flatMap((type) =>
  (profileTypeEntry(type).alerts ?? []).map((values) => ({ type, ...values })),
);
const isMain = ({ isFault, isSecondary }: (typeof watched)[number]) => !isFault && !isSecondary;
const main = watched.filter(isMain);

/** The series that are watched of every service. Object counts follow bytes. */
export const watchedSeries: readonly WatchedSeries[] = [...main, ...watched.filter((each) => !isMain(each))];

/** Custom profiles count or hold what the program says; five of it, or 1 MiB. */
const customRiseMin: Readonly<Record<string, number>> = { count: 5, bytes: 1024 * 1024 };

/** How a sample type of a custom profile is watched; undefined unless it counts or holds something at one moment. */
export function customSeries(sampleType: string): WatchedSeries | undefined {
  const slash = sampleType.lastIndexOf("/");
  const valueType = { type: sampleType.slice(0, slash), unit: sampleType.slice(slash + 1) };
  const riseMin = Object.hasOwn(customRiseMin, valueType.unit) ? customRiseMin[valueType.unit] : undefined;
  return riseMin === undefined || !isGauge(valueType)
    ? undefined
    : { type: "custom", sampleType, kind: "gauge", riseMin };
}

export function measureOf(type: string, sampleType: string): WatchedSeries {
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

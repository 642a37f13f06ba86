import { hourMs } from "@flamekeep/contract/durations";
import { measuredSampleTypes } from "@flamekeep/profile";
import { measuredTypes, measureOf } from "#alerts/detect/measure.ts";

/** A snapshot has no rate if the one before it is older than this. */
const gapMsMax = 6 * hourMs;

/** The parameters that all queries of values share. */
export const measured = {
  sampleTypes: measuredTypes.flatMap((type) => measuredSampleTypes[type]),
  totalsOf: measuredTypes.filter((type) => type !== "block"),
  gauges: measuredTypes.filter((type) => measureOf(type).kind === "gauge"),
  gapMsMax,
};

/** The floors of logarithms, in the order of `totalsOf`. */
export const floors = measured.totalsOf.map((type) => measureOf(type).riseMin);

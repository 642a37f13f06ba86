import { type TimeBucket, timeBuckets } from "@flamekeep/contract";

/** The width of a timeline's points that a stored or linked text means; 15 minutes if it means none. */
export function timeBucketOf(text: string | null | undefined): TimeBucket {
  return timeBuckets.find((bucket) => bucket === text) ?? "15m";
}

import { type TimeBucket, timeBuckets } from "@flamekeep/contract";
import { readStored, storageKeys, writeStored } from "./storage.ts";

/** The width of a timeline's points: a fixed one, or one that suits the range, which is 15 minutes for a day. */
export type BucketChoice = TimeBucket | "auto";
export const bucketChoices: readonly BucketChoice[] = ["auto", ...timeBuckets];

/** The choice that a stored or linked text means; `auto` if it means none. */
export function bucketChoiceOf(text: string | null | undefined): BucketChoice {
  return bucketChoices.find((choice) => choice === text) ?? "auto";
}

export function savedBucketChoice(): BucketChoice {
  return bucketChoiceOf(readStored(storageKeys.timeBucket));
}

export function saveBucketChoice(choice: BucketChoice): void {
  writeStored(storageKeys.timeBucket, choice);
}

import { type ProfileType, readableLine } from "@flamekeep/contract";
import { hasNegative, isCounter, type ProfileStacks, withoutGaugeDifferences } from "@flamekeep/profile";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";

const nameLengthMax = 60;

interface CheckedGauges {
  readonly profile: ProfileStacks;
  /** How many sample types were left out. */
  readonly gauges: number;
}

/** For the sender of a profile whose gauges were left out. */
export const gaugesNotice =
  "Memory in use (inuse_objects, inuse_space) was left out: the profile contains its change over a window. Fetch /debug/pprof/heap without seconds for memory in use.";

/**
 * Leaves out `inuse_*` values that are differences, as in Go's `/debug/pprof/allocs?seconds=30`. Refuses a profile that has no other
 * values. Unchanged, they would look like memory in use or existing goroutines. With `delta=true` the sender says that it subtracts
 * counters: what is in use is then a difference only if it is negative.
 */
export function checkedGauges(
  profile: ProfileStacks,
  type: ProfileType,
  { isDelta, sender }: Pick<Upload, "isDelta" | "sender">,
): Outcome<CheckedGauges> {
  if (type === "goroutine")
    return isDifference(profile, sender) ? goroutineDifference : accepted({ profile, gauges: 0 });
  const kept = withoutGaugeDifferences(profile, { keepsGrowth: isDelta && sender === "api" });
  const gauges = profile.sampleTypes.length - kept.sampleTypes.length;
  if (gauges > 0 && profile.durationNs <= 0n && !isDelta) return heapDifference;
  const shrunk = kept.sampleTypes.find(
    (sampleType, i) => isCounter(sampleType) && hasNegative(kept.stacks.values[i]!),
  );
  if (shrunk !== undefined) return counterDifference(shrunk.type);
  return accepted({ profile: kept, gauges });
}

/** Go gives a duration to goroutine profiles only where it subtracts two of them. */
function isDifference({ stacks, durationNs }: ProfileStacks, sender: Upload["sender"]): boolean {
  return (sender === "api" && durationNs > 0n) || stacks.values.some(hasNegative);
}

const goroutineDifference = refused(
  "unprocessable",
  "difference",
  "The profile contains the change in goroutines (?seconds=), not the goroutines. Fetch /debug/pprof/goroutine without seconds.",
);

const heapDifference = refused(
  "unprocessable",
  "difference",
  "The profile has negative values of memory in use: it is the difference of two profiles. Send the profiles themselves.",
);

function counterDifference(name: string): Outcome<never> {
  return refused(
    "unprocessable",
    "difference",
    `The profile has negative values of ${readableLine(name.slice(0, nameLengthMax))}, a counter that only grows. Subtract the earlier profile from the later one of the same process, or send the profiles themselves without delta=true.`,
  );
}

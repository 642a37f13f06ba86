import { type ProfileStacks, type ProfileType, withoutGaugeDifferences } from "@flamekeep/profile";
import { accepted, type Outcome, refused } from "./refusal.ts";
import type { Upload } from "./upload.ts";

interface CheckedGauges {
  readonly profile: ProfileStacks;
  /** How many sample types were left out. */
  readonly gauges: number;
}

/**
 * Leaves out `inuse_*` where they are differences, as of Go's `/debug/pprof/allocs?seconds=30`, and refuses profiles of which
 * nothing would be left: shown as they are, they would be taken for memory in use or for goroutines that exist.
 */
export function checkedGauges(
  profile: ProfileStacks,
  type: ProfileType,
  { isDelta, sender }: Pick<Upload, "isDelta" | "sender">,
): Outcome<CheckedGauges> {
  if (type === "goroutine")
    return isDifference(profile, sender) ? goroutineDifference : accepted({ profile, gauges: 0 });
  const kept = withoutGaugeDifferences(profile);
  const gauges = profile.sampleTypes.length - kept.sampleTypes.length;
  if (gauges > 0 && profile.durationNs <= 0n && !isDelta) return heapDifference;
  return accepted({ profile: kept, gauges });
}

/** Go gives a duration to goroutine profiles only where it subtracts two of them. */
function isDifference({ stacks, durationNs }: ProfileStacks, sender: Upload["sender"]): boolean {
  return (
    (sender === "api" && durationNs > 0n) || stacks.values.some((column) => column.some((value) => value < 0))
  );
}

const goroutineDifference = refused(
  "unprocessable",
  "difference",
  "The profile says how the number of goroutines changed (?seconds=), not which goroutines there are. Fetch /debug/pprof/goroutine without seconds.",
);

const heapDifference = refused(
  "unprocessable",
  "difference",
  "The profile has negative values of memory in use: it is the difference of two profiles. Send the profiles themselves.",
);

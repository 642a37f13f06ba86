import { defaultLimits, hashStacks, readStacks } from "@flamekeep/profile";
import type { Counters } from "./delta.ts";
import { inflateUpload } from "./inflate-upload.ts";
import { toCumulative } from "./to-cumulative.ts";

/** The counters of a stored profile; undefined where it is beyond today's limits. */
export function countersOf(payload: Uint8Array): Counters | undefined {
  const inflated = inflateUpload(payload, defaultLimits.bytes);
  if (!inflated.ok) return undefined;
  const read = readStacks(inflated.value.raw);
  if (!read.ok) return undefined;
  const { stacks } = read.profile;
  return toCumulative(stacks, hashStacks(stacks).stackIds).shown;
}

import { defaultLimits, hashStacks, readStacks } from "@flamekeep/profile";
import type { Counters } from "./delta.ts";
import { inflateUpload } from "./inflate-upload.ts";
import { toCumulative } from "./to-cumulative.ts";

/** The counters of a stored profile; undefined where it is beyond today's limits. */
export function countersOf(payload: Uint8Array): Counters | undefined {
  const raw = inflateUpload(payload, defaultLimits.bytes);
  if (!raw.ok) return undefined;
  const read = readStacks(raw.value);
  if (!read.ok) return undefined;
  const { stacks } = read.profile;
  return toCumulative(stacks, hashStacks(stacks).stackIds).shown;
}

import { defaultLimits, hashStacks, readProfile, sumStacks } from "@flamekeep/profile";
import type { Counters } from "./delta.ts";
import { inflateUpload } from "./inflate-upload.ts";
import { toCumulative } from "./to-cumulative.ts";

/** The counters of a stored profile; undefined where it is beyond today's limits. */
export function countersOf(payload: Uint8Array): Counters | undefined {
  const raw = inflateUpload(payload, defaultLimits.bytes);
  if (!raw.ok) return undefined;
  const read = readProfile(raw.value);
  if (!read.ok) return undefined;
  const table = sumStacks(read.profile);
  return toCumulative(table, hashStacks(table).stackIds).shown;
}

import { hashStacks, processIdentity, readStacks, withoutGaugeDifferences } from "@flamekeep/profile";
import { payloadLimits } from "#decoding/open-profile.ts";
import { inflateUpload } from "#ingest/encode/inflate-upload.ts";
import type { Counters } from "./counters.ts";
import { toCumulative } from "./to-cumulative.ts";

export interface StoredCounters {
  /** All sample types. */
  readonly stackValues: Counters;
  readonly identity: string;
}

/** The counters of a stored profile and its process; undefined where it cannot be read. */
export function countersOf(payload: Uint8Array): StoredCounters | undefined {
  const inflated = inflateUpload(payload, payloadLimits.bytes);
  if (!inflated.ok) return undefined;
  const { raw } = inflated.value;
  const read = readStacks(raw, payloadLimits);
  if (!read.ok) return undefined;
  const { stacks } = withoutGaugeDifferences(read.profile);
  const { stackValues } = toCumulative(stacks, hashStacks(stacks).stackIds);
  return { stackValues, identity: processIdentity(raw, payloadLimits) };
}

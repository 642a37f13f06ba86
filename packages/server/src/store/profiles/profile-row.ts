import { StoredType } from "@flamekeep/contract";
import { z } from "zod";
import { Count, Instant, Int64 } from "#store/column/values.ts";

/** Columns of a profile for lists and pages: all but its stacks and values. */
export const ProfileRow = z.object({
  profile_id: z.string(),
  service: z.string(),
  type: StoredType,
  started_at: Instant,
  received_at: Instant,
  duration_ns: Int64,
  tags: z.record(z.string(), z.string()),
  facts: z.record(z.string(), z.string()),
  /** `cpu/nanoseconds`; parallel to `totals`. */
  sample_types: z.array(z.string()),
  totals: z.array(Int64),
  sample_count: Count,
  stack_count: Count,
  original_bytes: Count,
  content_hash: z.string(),
  trimmed: z.record(z.string(), Count),
});
export type ProfileRow = z.output<typeof ProfileRow>;

/** Key in `facts` of the default sample type that the profile names. */
export const defaultSampleTypeFact = "default_sample_type";

/** `cpu/nanoseconds` as its two parts; the unit follows the last slash, because types may contain slashes. */
export function toValueType(sampleType: string): { type: string; unit: string } {
  const slash = sampleType.lastIndexOf("/");
  return slash === -1
    ? { type: sampleType, unit: "" }
    : { type: sampleType.slice(0, slash), unit: sampleType.slice(slash + 1) };
}

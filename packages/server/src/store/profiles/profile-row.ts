import { StoredType } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { Count, Instant, Int64 } from "#store/column/values.ts";
import type { StoredAs } from "#store/payloads/read-payload.ts";

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

/** The type and columns that were stored of the profile's bytes. */
export function storedAs({ profile_id, type, sample_types }: ProfileRow): StoredAs {
  return { profileId: profile_id, type, sampleTypes: sample_types };
}

/**
 * Key in `facts` of the size of bytes that are stored, and counted as `original_bytes`, with another profile: the upload is listed
 * under several types.
 */
export const sharedBytesFact = "shared_bytes";

/** Key in `facts` of the default sample type that the profile names. */
export const defaultSampleTypeFact = "default_sample_type";

/** Key in `facts` of the id of the API key that sent the upload; absent for uploads of the server and of earlier versions. */
export const keyFact = "key";

/** Key in `facts` of the name of the file that was sent; absent for uploads without one. */
export const fileFact = "file";

/** Key in `facts` of the names of dropped tags, which have no line breaks, one a line. */
export const droppedTagsFact = "dropped_tags";

/** For CPU profiles that only count samples, without a period: one sample may be any CPU time. Undefined for all others. */
export function noCpuTimeNotice(type: string, sampleTypes: readonly string[]): string | undefined {
  if (type !== "cpu" || sampleTypes.includes("cpu/nanoseconds")) return undefined;
  return "This CPU profile counts samples without the CPU time per sample, so its figures are samples. For CPU time, send pprof with nanoseconds, or with a period in nanoseconds (period_type cpu); collapsed stacks have neither.";
}

/** `cpu/nanoseconds` as its two parts; the unit follows the last slash, because types may contain slashes. */
export function toValueType(sampleType: string): { type: string; unit: string } {
  const slash = sampleType.lastIndexOf("/");
  return slash === -1
    ? { type: sampleType, unit: "" }
    : { type: sampleType.slice(0, slash), unit: sampleType.slice(slash + 1) };
}

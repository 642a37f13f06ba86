import type { Ignored, IngestedProfile, ingestHttpMetrics, ReplyOf } from "@flamekeep/contract";
import type { Taken } from "#ingest/intake.ts";

export function toIngestedProfile(
  { encoded, isDuplicate, notice }: Taken,
  ignored: Ignored,
): IngestedProfile {
  if (encoded.type === "metrics") throw new Error("The endpoint of profiles stored a batch of HTTP metrics");
  return {
    profile_id: encoded.profileId,
    service: encoded.service,
    type: encoded.type,
    started_at: new Date(encoded.startedAtMs).toISOString(),
    sample_count: encoded.sampleCount,
    duplicate: isDuplicate,
    trimmed: isDuplicate ? {} : Object.fromEntries(encoded.trimmed),
    ignored,
    ...(notice === undefined ? {} : { notice }),
  };
}

export function toIngestedMetrics(
  { encoded, isDuplicate }: Taken,
  ignored: Ignored,
): ReplyOf<typeof ingestHttpMetrics> {
  return { profile_id: encoded.profileId, accepted: encoded.sampleCount, duplicate: isDuplicate, ignored };
}

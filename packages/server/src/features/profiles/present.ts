import { displayTypeOf, type Profile, type StoredType } from "@flamekeep/contract";
import { defaultSampleType, sampleCountOf } from "@flamekeep/profile";
import {
  defaultSampleTypeFact,
  droppedTagsFact,
  noCpuTimeNotice,
  type ProfileRow,
  sharedBytesFact,
  toValueType,
} from "#store/profiles/profile-row.ts";

export function toProfile(row: ProfileRow): Profile {
  const notice = noCpuTimeNotice(row.type, row.sample_types);
  const dropped = row.facts[droppedTagsFact];
  return {
    profile_id: row.profile_id,
    service: row.service,
    type: row.type as StoredType,
    display_type: displayTypeOf(row.type, row.sample_types),
    timestamp: row.started_at.toISOString(),
    tags: row.tags,
    statistics: { total_samples: totalSamples(row), duration_ms: Number(row.duration_ns) / 1e6 },
    sample_types: row.sample_types.map((sampleType, index) => ({
      ...toValueType(sampleType),
      total: Number(row.totals[index] ?? 0n),
    })),
    stack_count: row.stack_count,
    size_bytes: Number(row.facts[sharedBytesFact] ?? row.original_bytes),
    received_at: row.received_at.toISOString(),
    trimmed: row.trimmed,
    ...(dropped === undefined ? {} : { dropped_tags: dropped.split("\n") }),
    ...(notice === undefined ? {} : { notice }),
  };
}

/** The count for the profile's main sample type, as in its statistics and its flame graph. */
function totalSamples({ type, facts, totals, ...row }: ProfileRow): number {
  if (type === "metrics") return row.sample_count;
  const sampleTypes = row.sample_types.map(toValueType);
  const main = defaultSampleType(
    { sampleTypes, totals, defaultSampleType: facts[defaultSampleTypeFact] ?? "" },
    type,
  );
  return sampleCountOf({ sampleTypes, totals, stackCount: row.stack_count }, main);
}

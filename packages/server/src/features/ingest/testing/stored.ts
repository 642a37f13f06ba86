import { z } from "zod";
import type { Context } from "#context";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count, Int64 } from "#store/column/values.ts";
import { StoreUnavailable } from "#store/unavailable.ts";

const Tags = z.record(z.string(), z.string());

const profiles = query({
  name: "test.profiles",
  sql: `SELECT profile_id, service, type, toString(started_at) AS started_at, duration_ns, tags, facts, sample_types,
      totals, deltas_totals, sample_count, stack_count, original_bytes, raw_bytes, trimmed, sender, stacks, values
    FROM profiles WHERE org_id = {orgId:UUID} ORDER BY started_at, type, profile_id`,
  params: z.object({ orgId: z.string() }),
  row: z.object({
    profile_id: z.string(),
    service: z.string(),
    type: z.string(),
    started_at: z.string(),
    duration_ns: Count,
    tags: Tags,
    facts: Tags,
    sample_types: z.array(z.string()),
    totals: z.array(Int64),
    deltas_totals: z.array(Int64),
    sample_count: z.int(),
    stack_count: z.int(),
    original_bytes: z.int(),
    raw_bytes: z.int(),
    trimmed: z.record(z.string(), Count),
    sender: z.string(),
    stacks: z.array(Int64),
    values: z.array(z.array(Int64)),
  }),
});

export type StoredProfileRow = z.output<typeof profiles.row>;

/** All profiles of an organization, oldest first. */
export function storedProfiles(store: ColumnStore, orgId: string): Promise<StoredProfileRow[]> {
  return store.query(profiles, { orgId });
}

const counts = query({
  name: "test.counts",
  sql: `SELECT
      (SELECT count() FROM profiles WHERE org_id = {orgId:UUID}) AS profiles,
      (SELECT count() FROM http_requests WHERE org_id = {orgId:UUID}) AS requests,
      (SELECT sum(profiles) FROM type_totals_1m WHERE org_id = {orgId:UUID} AND sample_type = '') AS rolledUp,
      (SELECT sum(requests) FROM http_totals_1m WHERE org_id = {orgId:UUID}) AS rolledUpRequests,
      (SELECT sum(requests) FROM http_service_totals_1m WHERE org_id = {orgId:UUID}) AS rolledUpByService`,
  params: z.object({ orgId: z.string() }),
  row: z.object({
    profiles: Count,
    requests: Count,
    rolledUp: Count,
    rolledUpRequests: Count,
    rolledUpByService: Count,
  }),
});

/** How many rows an organization has in each place a profile is counted. On a busy machine a recount takes longer than a read waits. */
export async function storedCounts(ctx: Context, orgId: string): ReturnType<typeof countStored> {
  for (;;) {
    try {
      return await countStored(ctx, orgId);
    } catch (error) {
      if (!(error instanceof StoreUnavailable && error.message.includes("counted again"))) throw error;
    }
  }
}

async function countStored({ columns, payloads }: Context, orgId: string) {
  const rows = await storedProfiles(columns, orgId);
  const found = await Promise.all(rows.map(({ profile_id }) => payloads.read(orgId, profile_id)));
  const [counted] = await columns.query(counts, { orgId });
  return { ...counted!, payloads: found.filter((bytes) => bytes !== undefined).length };
}

const folded = query({
  name: "test.folded",
  sql: `SELECT arrayStringConcat(arrayReverse(arrayMap(id -> names[id], frame_ids)), ';') AS stack, toInt64(sum(value)) AS value
    FROM (SELECT stack_id, sum(value) AS value
          FROM (SELECT stacks, type_values FROM profiles ARRAY JOIN sample_types AS sample_type, values AS type_values
                WHERE org_id = {orgId:UUID} AND sample_type = {sampleType:String})
          ARRAY JOIN stacks AS stack_id, type_values AS value GROUP BY stack_id) AS totals
    ANY LEFT JOIN (SELECT stack_id, any(frame_ids) AS frame_ids FROM stacks WHERE org_id = {orgId:UUID} GROUP BY stack_id) AS stacks
      USING stack_id
    CROSS JOIN (SELECT CAST((groupArray(frame_id), groupArray(function)), 'Map(UInt64, String)') AS names
                FROM frames WHERE org_id = {orgId:UUID}) AS frames
    GROUP BY stack ORDER BY stack`,
  params: z.object({ orgId: z.string(), sampleType: z.string() }),
  row: z.object({ stack: z.string(), value: Int64 }),
});

/** `main;work 30` lines of all profiles merged, through stacks and frames as stored. */
export async function storedFolded(store: ColumnStore, orgId: string, sampleType: string): Promise<string[]> {
  const rows = await store.query(folded, { orgId, sampleType });
  return rows.map(({ stack, value }) => `${stack} ${value}`);
}

import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { dayOf } from "./profile-id.ts";
import { ProfileRow } from "./profile-row.ts";

const Lookup = z.object({ orgId: z.uuid(), day: Day, profileId: z.string() });

const profileById = query({
  name: "profiles.by-id",
  sql: `SELECT profile_id, service, type, started_at, received_at, duration_ns, tags, facts, sample_types, totals,
          sample_count, stack_count, original_bytes, content_hash, trimmed
        FROM profiles
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
        LIMIT 1`,
  params: Lookup,
  row: ProfileRow,
});

/** The row of a profile; undefined for an unknown id and for one of another organization. */
export async function findProfile(
  columns: Pick<ColumnStore, "query">,
  orgId: string,
  profileId: string,
): Promise<ProfileRow | undefined> {
  const day = dayOf(profileId);
  if (day === null) return undefined;
  return (await columns.query(profileById, { orgId, day, profileId }))[0];
}

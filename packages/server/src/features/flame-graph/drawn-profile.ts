import { z } from "zod";
import type { Context } from "#context";
import { notFound } from "#failure";
import { query } from "#store/column/query.ts";
import { Day } from "#store/column/values.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { ProfileRow } from "#store/profiles/profile-row.ts";

/** The columns that drawing needs: reading the whole row takes the engine a third longer. */
const drawnProfile = query({
  name: "flame-graph.profile",
  sql: `SELECT type, sample_types, content_hash
        FROM profiles
        WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id = {profileId:String}
        LIMIT 1`,
  params: z.object({ orgId: z.uuid(), day: Day, profileId: z.string() }),
  row: ProfileRow.pick({ type: true, sample_types: true, content_hash: true }),
});

type DrawnProfile = z.output<typeof drawnProfile.row>;

/** Throws `not_found` for an unknown id and for one of another organization. */
export async function readDrawnProfile(
  ctx: Context,
  orgId: string,
  profileId: string,
): Promise<DrawnProfile> {
  const day = dayOf(profileId);
  const [profile] = day === null ? [] : await ctx.columns.query(drawnProfile, { orgId, day, profileId });
  if (profile === undefined) throw notFound("Profile", profileId);
  return profile;
}

import { displayTypeOf, type profileNeighbours } from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { Operation } from "#http/endpoint/serve.ts";
import { query } from "#store/column/query.ts";
import { Instant } from "#store/column/values.ts";
import { filterOf, hasMarks, TypeFilter } from "#store/profiles/separate-types.ts";

/** Bounds the days that are read where a profile has no neighbour. */
const reachMs = 30 * dayMs;

/** At most one row before the profile and one after it. The conditions follow the sort order of the table. */
const neighbours = query({
  name: "profiles.neighbours",
  sql: `SELECT profile_id AS profileId, started_at AS startedAt, 'previous' AS side
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at <= {at:DateTime64(3, 'UTC')}
          AND (started_at < {at:DateTime64(3, 'UTC')} OR profile_id < {profileId:String})
          AND ${hasMarks}
        ORDER BY started_at DESC, profile_id DESC
        LIMIT 1
        UNION ALL
        SELECT profile_id AS profileId, started_at AS startedAt, 'next' AS side
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {at:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND (started_at > {at:DateTime64(3, 'UTC')} OR profile_id > {profileId:String})
          AND ${hasMarks}
        ORDER BY started_at ASC, profile_id ASC
        LIMIT 1`,
  params: TypeFilter.extend({
    orgId: z.uuid(),
    service: z.string(),
    from: z.date(),
    at: z.date(),
    to: z.date(),
    profileId: z.string(),
  }),
  row: z.object({ profileId: z.string(), startedAt: Instant, side: z.enum(["previous", "next"]) }),
});

/** Previous and next profile of the same service and display type. */
export const getNeighbours: Operation<typeof profileNeighbours> = async (ctx, { orgId }, { id }) => {
  const row = await ctx.profiles.read(orgId, id);
  const atMs = row.started_at.getTime();
  const found = await ctx.columns.query(neighbours, {
    orgId,
    service: row.service,
    ...filterOf(displayTypeOf(row.type, row.sample_types)),
    from: new Date(atMs - reachMs),
    at: row.started_at,
    to: new Date(atMs + reachMs),
    profileId: row.profile_id,
  });
  const onSide = (side: "previous" | "next") => {
    const neighbour = found.find((each) => each.side === side);
    return neighbour
      ? { profile_id: neighbour.profileId, timestamp: neighbour.startedAt.toISOString() }
      : null;
  };
  return { previous: onSide("previous"), next: onSide("next") };
};

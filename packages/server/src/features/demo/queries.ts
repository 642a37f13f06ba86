import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Instant } from "#store/column/values.ts";

/** What an organization already has since a moment, without the profiles themselves. */
export const storedSince = query({
  name: "demo.stored_since",
  sql: `SELECT service, type, started_at AS startedAt
    FROM profiles
    WHERE org_id = {orgId:UUID} AND started_at >= {from:DateTime64(3, 'UTC')}`,
  params: z.object({ orgId: z.uuid(), from: z.date() }),
  row: z.object({ service: z.string(), type: z.string(), startedAt: Instant }),
});

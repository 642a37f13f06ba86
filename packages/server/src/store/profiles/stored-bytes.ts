import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/** Bytes of the stored uploads as they were sent, as the limit of stored bytes counts them. Organizations without any have no row. */
export const storedBytes = query({
  name: "organizations.stored-bytes",
  sql: `SELECT toString(org_id) AS orgId, sum(stored_bytes) AS bytes
        FROM type_totals_1m WHERE org_id IN {orgIds:Array(UUID)} AND sample_type = '' GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), bytes: Count }),
});

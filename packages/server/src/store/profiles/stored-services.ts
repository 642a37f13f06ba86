import { z } from "zod";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/** The services with stored data of an organization. */
export const storedServices = query({
  name: "services.stored",
  sql: `SELECT DISTINCT service FROM type_totals_1m WHERE org_id = {orgId:UUID} AND sample_type = ''`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ service: z.string() }),
});

/** The numbers of these services. Organizations without any have no row. */
export const countsOfServices = query({
  name: "services.counts",
  sql: `SELECT toString(org_id) AS orgId, uniqExact(service) AS services
        FROM type_totals_1m WHERE org_id IN {orgIds:Array(UUID)} AND sample_type = '' GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), services: Count }),
});

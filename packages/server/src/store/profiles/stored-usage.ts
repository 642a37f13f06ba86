// The stored services and bytes of organizations, as their limits count them.
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

/** Bytes of the stored uploads as they were sent, as the limit of stored bytes counts them. Organizations without any have no row. */
export const storedBytes = query({
  name: "organizations.stored-bytes",
  sql: `SELECT toString(org_id) AS orgId, sum(stored_bytes) AS bytes
        FROM type_totals_1m WHERE org_id IN {orgIds:Array(UUID)} AND sample_type = '' GROUP BY org_id`,
  params: z.object({ orgIds: z.array(z.uuid()) }),
  row: z.object({ orgId: z.string(), bytes: Count }),
});

import { minuteMs } from "@flamekeep/contract/durations";
import { sql } from "kysely";
import { z } from "zod";
import type { Context } from "#context";
import { query } from "#store/column/query.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { type RemovalContext, recordRemoval, refuseIfStopped, removeWhole } from "./remove-whole.ts";

/** Uploads that were admitted before the keys ended are stored or refused by then, on other servers too. */
const waitMs = minuteMs;
/** After every day that a store can hold. */
const allDays = "2149-01-01";

const servicesOfOrganization = query({
  name: "retention.services-of-organization",
  sql: "SELECT DISTINCT service FROM profiles WHERE org_id = {orgId:UUID} ORDER BY service",
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ service: z.string() }),
});

interface Removal {
  readonly orgId: string;
  readonly removedBy: string;
}

/**
 * Removes the data of deleted organizations, whose access ended before: first service by service, so that each removal is
 * recorded and a restore of older files does not bring it back, then what belongs to no service, then the rows of the row store.
 * It can be interrupted at any time: the next call continues.
 */
export async function removeDeletedOrganizations(ctx: RemovalContext): Promise<void> {
  for (const removal of await dueRemovals(ctx)) {
    const { orgId, removedBy } = removal;
    for (const { service } of await ctx.columns.query(servicesOfOrganization, { orgId })) {
      await ctx.runBetweenBatches(async (stopped) => {
        refuseIfStopped(stopped);
        await recordRemoval(ctx.rows, { orgId, service, removedBy, at: ctx.now() });
        await removeWhole(ctx, { orgId, service }, stopped);
      });
    }
    await ctx.runBetweenBatches((stopped) => removeRest(ctx, orgId, stopped));
    ctx.log.warn({ orgId }, "the data of a deleted organization was removed");
  }
}

function dueRemovals({ rows, now }: Context): Promise<Removal[]> {
  return acrossOrganizations(rows)
    .selectFrom("organizationRemovals")
    .select(["orgId", "removedBy"])
    .where("finishedAt", "is", null)
    .where("removedAt", "<=", new Date(now().getTime() - waitMs).toISOString())
    .orderBy("removedAt")
    .execute();
}

async function removeRest(ctx: Context, orgId: string, stopped: AbortSignal): Promise<void> {
  refuseIfStopped(stopped);
  await ctx.payloads.removeDays(allDays, orgId, stopped);
  await ctx.columns.maintenance.removeDays(orgId, allDays, stopped);
  refuseIfStopped(stopped);
  await ctx.rows.transaction().execute(async (rows) => {
    await removeOrganizationRows(rows, orgId);
    await rows
      .updateTable("organizationRemovals")
      .set({ finishedAt: ctx.now().toISOString() })
      .where("orgId", "=", orgId)
      .execute();
  });
}

/** Records of removals stay: see readServiceRemovals. */
const keptTables = new Set(["organization_removals", "service_removals"]);

/** Removes the organization's rows from every table that has organizations, and the organization itself. */
async function removeOrganizationRows(rows: RowStore, orgId: string): Promise<void> {
  const plain = rows.withoutPlugins();
  const tables = (await plain.introspection.getTables()).filter(
    ({ name, columns }) => !keptTables.has(name) && columns.some((column) => column.name === "org_id"),
  );
  for (const { name } of tables) {
    await sql`DELETE FROM ${sql.table(name)} WHERE org_id = ${orgId}`.execute(plain);
  }
  await rows.deleteFrom("organizations").where("id", "=", orgId).execute();
}

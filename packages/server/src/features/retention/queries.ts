import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RowStore } from "#store/row/row-store.ts";

/** null: as long as the server keeps data. */
export async function readRetention(rows: RowStore, orgId: string): Promise<number | null> {
  const setting = rows.selectFrom("organizations").select("retentionDays").where("id", "=", orgId);
  return (await setting.executeTakeFirstOrThrow()).retentionDays;
}

export async function storeRetention(rows: RowStore, orgId: string, days: number | null): Promise<void> {
  await rows.updateTable("organizations").set({ retentionDays: days }).where("id", "=", orgId).execute();
}

/** Organizations with a shorter retention than the server's. */
export function shorterRetentions(
  rows: RowStore,
  serverDays: number,
): Promise<{ id: string; retentionDays: number | null }[]> {
  return rows
    .selectFrom("organizations")
    .select(["id", "retentionDays"])
    .where("retentionDays", "<", serverDays)
    .execute();
}

/** Records that a removal begins. Until it is recorded as finished, the job continues it after any interruption. */
export async function recordRemoval(
  rows: RowStore,
  removal: {
    readonly orgId: string;
    readonly service: string;
    readonly removedBy: string;
    readonly at: Date;
  },
): Promise<void> {
  const { at, service, ...facts } = removal;
  await rows
    .insertInto("serviceRemovals")
    .values({ ...facts, name: service, id: randomUUID(), removedAt: at.toISOString(), finishedAt: null })
    .execute();
}

/** Finishes all recorded removals of the service, because they remove the same. */
export async function recordFinished(
  rows: RowStore,
  { orgId, service, at }: { readonly orgId: string; readonly service: string; readonly at: Date },
): Promise<void> {
  await rows
    .updateTable("serviceRemovals")
    .set({ finishedAt: at.toISOString() })
    .where("orgId", "=", orgId)
    .where("name", "=", service)
    .where("finishedAt", "is", null)
    .execute();
}

/** Removes the rows of the service from every table that has an organization and a service. */
export async function removeServiceRows(
  rows: RowStore,
  { orgId, service }: { readonly orgId: string; readonly service: string },
): Promise<void> {
  const plain = rows.withoutPlugins();
  const tables = (await plain.introspection.getTables()).filter(({ columns }) => {
    const names = new Set(columns.map(({ name }) => name));
    return names.has("org_id") && names.has("service");
  });
  for (const { name } of tables) {
    await sql`DELETE FROM ${sql.table(name)} WHERE org_id = ${orgId} AND service = ${service}`.execute(plain);
  }
}

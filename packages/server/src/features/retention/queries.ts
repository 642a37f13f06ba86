import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { RowStore } from "#store/row/row-store.ts";

/** null: as long as the server keeps anything. */
export async function retentionOf(rows: RowStore, orgId: string): Promise<number | null> {
  const setting = rows.selectFrom("organizations").select("retentionDays").where("id", "=", orgId);
  return (await setting.executeTakeFirstOrThrow()).retentionDays;
}

export async function setRetention(rows: RowStore, orgId: string, days: number | null): Promise<void> {
  await rows.updateTable("organizations").set({ retentionDays: days }).where("id", "=", orgId).execute();
}

/** Organizations that keep less than the server does. */
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

/** Notes that a removal begins: whatever cuts it off, it goes on until it is noted as finished. */
export async function noteRemoval(
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

/** All removals of the service that were begun: they leave the same. */
export async function noteFinished(
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

/** Removes what other features keep by service: every table with an organization and a service. */
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

import type { Kysely } from "kysely";

/** How long each organization keeps its data, and which services were removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("organizations").addColumn("retention_days", "integer").execute();
  await db.schema
    .createTable("service_removals")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("removed_by", "text", (column) => column.notNull())
    .addColumn("removed_at", "text", (column) => column.notNull())
    .execute();
}

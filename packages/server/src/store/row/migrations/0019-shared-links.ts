import type { Kysely } from "kysely";

/** Public links to flame graphs, and whether an organization allows them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("organizations")
    .addColumn("allows_public_links", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
  await db.schema
    .createTable("shared_links")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("from_at", "text", (column) => column.notNull())
    .addColumn("to_at", "text", (column) => column.notNull())
    .addColumn("graph", "text", (column) => column.notNull())
    .addColumn("look", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .addColumn("last_opened_at", "text")
    .execute();
  await db.schema
    .createIndex("shared_links_by_org")
    .on("shared_links")
    .columns(["org_id", "created_at"])
    .execute();
  await db.schema.createIndex("shared_links_by_expiry").on("shared_links").column("expires_at").execute();
}

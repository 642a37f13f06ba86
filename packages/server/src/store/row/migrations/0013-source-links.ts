import type { Kysely } from "kysely";

/** Where the source of a service is. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("source_links")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("url_pattern", "text", (column) => column.notNull())
    .addColumn("path_prefix", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("source_links_pk", ["org_id", "service"])
    .execute();
}

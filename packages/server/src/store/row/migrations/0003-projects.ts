import type { Kysely } from "kysely";

/** Projects, and the changes made to projects that are derived from services. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("projects")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("description", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("member_count", "integer", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("projects_by_org").on("projects").column("org_id").execute();
  await db.schema
    .createTable("derived_projects")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("name", "text")
    .addColumn("description", "text")
    .addColumn("status", "text")
    .addColumn("tags", "text")
    .addColumn("is_hidden", "integer", (column) => column.notNull().defaultTo(0))
    .addColumn("updated_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("derived_projects_pk", ["org_id", "service"])
    .execute();
}

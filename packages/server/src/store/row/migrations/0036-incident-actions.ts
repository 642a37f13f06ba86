import type { Kysely } from "kysely";

/** Assignees of incidents, and comments on them. Both are removed with the first alert, whose id the incident has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("incident_assignments")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("incident_id", "text", (column) =>
      column.notNull().references("alerts.id").onDelete("cascade"),
    )
    .addColumn("assigned_to", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("assigned_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("incident_assignments_pk", ["org_id", "incident_id"])
    .execute();
  await db.schema
    .createTable("incident_comments")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("incident_id", "text", (column) =>
      column.notNull().references("alerts.id").onDelete("cascade"),
    )
    .addColumn("written_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("text", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex("incident_comments_by_incident")
    .on("incident_comments")
    .columns(["org_id", "incident_id", "created_at"])
    .execute();
}

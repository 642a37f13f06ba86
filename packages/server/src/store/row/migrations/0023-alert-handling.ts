import type { Kysely } from "kysely";

/** Acknowledgement and acceptance of alerts. The alerts themselves are written by evaluations only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_handling")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("alert_id", "text", (column) => column.notNull().references("alerts.id").onDelete("cascade"))
    .addColumn("acknowledged_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("acknowledged_at", "text")
    .addColumn("expected_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("expected_at", "text")
    .addPrimaryKeyConstraint("alert_handling_pk", ["org_id", "alert_id"])
    .execute();
  await db.schema
    .createIndex("alert_handling_by_expected")
    .on("alert_handling")
    .columns(["org_id", "expected_at"])
    .execute();
}

import { type Kysely, sql } from "kysely";

/** Thresholds that people set. An alert of a rule may be open at the same time as one of the detector about the same series. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_rules")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("id", "text", (column) => column.notNull())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("signal", "text", (column) => column.notNull())
    .addColumn("profile_type", "text")
    .addColumn("sample_type", "text")
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("comparison", "text", (column) => column.notNull())
    .addColumn("threshold", "double precision", (column) => column.notNull())
    .addColumn("minutes", "integer", (column) => column.notNull())
    .addColumn("severity", "text", (column) => column.notNull())
    .addColumn("is_enabled", "integer", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("defined_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("alert_rules_pk", ["org_id", "id"])
    .execute();
  await db.schema
    .createTable("alert_rule_progress")
    .addColumn("org_id", "text", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("evaluated_to", "text", (column) => column.notNull())
    .execute();
  for (const column of ["rule_id", "rule", "severity"]) {
    await db.schema.alterTable("alerts").addColumn(column, "text").execute();
  }
  await db.schema.dropIndex("alerts_open_once").execute();
  await sql`CREATE UNIQUE INDEX alerts_open_once ON alerts (org_id, service, type, sample_type)
    WHERE resolved_at IS NULL AND rule_id IS NULL`.execute(db);
  await sql`CREATE UNIQUE INDEX alerts_rule_open_once ON alerts (org_id, rule_id)
    WHERE resolved_at IS NULL AND rule_id IS NOT NULL`.execute(db);
}

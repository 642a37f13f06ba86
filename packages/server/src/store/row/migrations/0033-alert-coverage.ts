import type { Kysely } from "kysely";

/** The sensitivity of the alerts of each service. It is stored so that any process can report it, also just after a start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_coverage")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("judged_at", "text", (column) => column.notNull())
    .addColumn("coverage", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("alert_coverage_key", ["org_id", "service"])
    .execute();
}

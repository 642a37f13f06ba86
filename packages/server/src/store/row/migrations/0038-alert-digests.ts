import type { Kysely } from "kysely";

/** The schedule of the summary of incidents of an organization, and its deliveries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_digests")
    .addColumn("org_id", "text", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("frequency", "text", (column) => column.notNull())
    .addColumn("hour_utc", "integer", (column) => column.notNull())
    .addColumn("weekday", "integer", (column) => column.notNull())
    .addColumn("channels", "text", (column) => column.notNull())
    .addColumn("is_sent_when_empty", "integer", (column) => column.notNull())
    .addColumn("next_at", "text", (column) => column.notNull())
    .addColumn("covered_to", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("alert_digests_due").on("alert_digests").column("next_at").execute();
  await db.schema
    .createTable("digest_deliveries")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("covered_to", "text", (column) => column.notNull())
    .addColumn("message", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "text", (column) => column.notNull())
    .addColumn("last_error", "text")
    .addUniqueConstraint("digest_deliveries_once", ["org_id", "channel", "covered_to"])
    .execute();
  await db.schema
    .createIndex("digest_deliveries_due")
    .on("digest_deliveries")
    .columns(["status", "next_attempt_at"])
    .execute();
}

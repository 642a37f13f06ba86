import { type Kysely, sql } from "kysely";

/** Alerts and their history, their delivery, and leases of jobs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createAlerts(db);
  await createDelivery(db);
  await db.schema
    .createTable("job_leases")
    .addColumn("name", "text", (column) => column.primaryKey())
    .addColumn("holder", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .execute();
}

async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alerts")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("sample_type", "text", (column) => column.notNull())
    .addColumn("profile_id", "text", (column) => column.notNull())
    .addColumn("opened_at", "text", (column) => column.notNull())
    .addColumn("resolved_at", "text")
    .addColumn("previous_value", "double precision", (column) => column.notNull())
    .addColumn("current_value", "double precision", (column) => column.notNull())
    .addColumn("increase", "double precision", (column) => column.notNull())
    .addColumn("baseline_from", "text", (column) => column.notNull())
    .addColumn("baseline_to", "text", (column) => column.notNull())
    .addColumn("current_from", "text", (column) => column.notNull())
    .addColumn("current_to", "text", (column) => column.notNull())
    .addColumn("functions", "text", (column) => column.notNull())
    .addColumn("reference", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("alerts_by_org").on("alerts").columns(["org_id", "opened_at", "id"]).execute();
  await db.schema
    .createIndex("alerts_open_once")
    .unique()
    .on("alerts")
    .columns(["org_id", "service", "type", "sample_type"])
    .where(sql.ref("resolved_at"), "is", null)
    .execute();
  await db.schema
    .createTable("alert_mutes")
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text", (column) => column.notNull())
    .addColumn("type", "text", (column) => column.notNull())
    .addColumn("muted_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("alert_mutes_pk", ["org_id", "service", "type"])
    .execute();
  await db.schema
    .createTable("alert_progress")
    .addColumn("org_id", "text", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("evaluated_to", "text", (column) => column.notNull())
    .addColumn("looked_at", "text", (column) => column.notNull())
    .execute();
}

async function createDelivery(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_settings")
    .addColumn("org_id", "text", (column) =>
      column.primaryKey().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("webhook_url", "text")
    .addColumn("webhook_secret", "text")
    .addColumn("slack_url", "text")
    .addColumn("emails", "text", (column) => column.notNull())
    .addColumn("updated_at", "text", (column) => column.notNull())
    .execute();
  await db.schema
    .createTable("alert_deliveries")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("alert_id", "text", (column) => column.notNull().references("alerts.id").onDelete("cascade"))
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("channel", "text", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("attempts", "integer", (column) => column.notNull())
    .addColumn("next_attempt_at", "text", (column) => column.notNull())
    .addColumn("last_error", "text")
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("delivered_at", "text")
    .addUniqueConstraint("alert_deliveries_once", ["alert_id", "event", "channel"])
    .execute();
  await db.schema
    .createIndex("alert_deliveries_due")
    .on("alert_deliveries")
    .columns(["status", "next_attempt_at"])
    .execute();
}

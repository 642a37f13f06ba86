import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";

interface EarlierMute {
  readonly org_id: string;
  readonly service: string;
  readonly type: string;
  readonly muted_by: string | null;
  readonly created_at: string;
  readonly until: string | null;
}

/** Mutes of any service or type, with tags, a reason and a start. The table is built again, because its key changes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("alert_mutes_by_id")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("service", "text")
    .addColumn("type", "text")
    .addColumn("tags", "text", (column) => column.notNull())
    .addColumn("reason", "text", (column) => column.notNull())
    .addColumn("muted_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("starts_at", "text", (column) => column.notNull())
    .addColumn("until", "text")
    .execute();
  const { rows } = await sql<EarlierMute>`SELECT * FROM alert_mutes`.execute(db);
  for (const { org_id, service, type, muted_by, created_at, until } of rows) {
    await sql`INSERT INTO alert_mutes_by_id
      (id, org_id, service, type, tags, reason, muted_by, created_at, starts_at, until)
      VALUES (${randomUUID()}, ${org_id}, ${service}, ${type}, '{}', '', ${muted_by}, ${created_at}, ${created_at}, ${until})`.execute(
      db,
    );
  }
  await db.schema.dropTable("alert_mutes").execute();
  await db.schema.alterTable("alert_mutes_by_id").renameTo("alert_mutes").execute();
  await db.schema.createIndex("alert_mutes_by_org").on("alert_mutes").columns(["org_id", "until"]).execute();
}

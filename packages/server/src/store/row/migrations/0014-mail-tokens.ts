import type { Kysely } from "kysely";

/** Tokens of links in mail, and where sessions were used. Earlier sessions have no address until their next use. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("mail_tokens")
    .addColumn("token_hash", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("purpose", "text", (column) => column.notNull())
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .addColumn("used_at", "text")
    .execute();
  await db.schema
    .createIndex("mail_tokens_by_user")
    .on("mail_tokens")
    .columns(["user_id", "purpose"])
    .execute();
  await db.schema.createIndex("mail_tokens_by_expiry").on("mail_tokens").column("expires_at").execute();
  for (const name of ["user_agent", "address", "last_used_at"]) {
    await db.schema.alterTable("sessions").addColumn(name, "text").execute();
  }
}

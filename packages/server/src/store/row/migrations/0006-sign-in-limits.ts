import type { Kysely } from "kysely";

/** Token buckets replace the counts of failed sign-ins; the counts of the last hour are forgotten once. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("token_buckets")
    .addColumn("subject", "text", (column) => column.primaryKey())
    .addColumn("full_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("token_buckets_by_full_at").on("token_buckets").column("full_at_ms").execute();
  await db.schema
    .createTable("known_addresses")
    .addColumn("user_id", "text", (column) => column.notNull().references("users.id").onDelete("cascade"))
    .addColumn("address_hash", "text", (column) => column.notNull())
    .addColumn("last_used_at", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("known_addresses_pk", ["user_id", "address_hash"])
    .execute();
  await db.schema
    .createIndex("known_addresses_by_last_used")
    .on("known_addresses")
    .column("last_used_at")
    .execute();
  await db.schema.createIndex("sessions_by_expiry").on("sessions").column("expires_at").execute();
  await db.schema.createIndex("refresh_tokens_by_expiry").on("refresh_tokens").column("expires_at").execute();
  await db.schema.dropTable("login_throttle").execute();
}

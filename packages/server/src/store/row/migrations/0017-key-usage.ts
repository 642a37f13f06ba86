import type { CreateTableBuilder, Kysely } from "kysely";

/** The expiry of API keys, and what they send. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("api_keys").addColumn("expires_at", "text").execute();
  await perKeyAndDay(db.schema.createTable("api_key_usage"))
    .addColumn("profiles", "bigint", (column) => column.notNull())
    .addColumn("bytes", "bigint", (column) => column.notNull())
    .addPrimaryKeyConstraint("api_key_usage_key", ["org_id", "key_id", "day"])
    .execute();
  await perKeyAndDay(db.schema.createTable("api_key_refusals"))
    .addColumn("code", "text", (column) => column.notNull())
    .addColumn("count", "bigint", (column) => column.notNull())
    .addColumn("last_at", "text", (column) => column.notNull())
    .addColumn("last_message", "text", (column) => column.notNull())
    .addPrimaryKeyConstraint("api_key_refusals_key", ["org_id", "key_id", "day", "code"])
    .execute();
}

function perKeyAndDay<T extends string>(table: CreateTableBuilder<T>) {
  return table
    .addColumn("org_id", "text", (column) => column.notNull())
    .addColumn("key_id", "text", (column) => column.notNull().references("api_keys.id").onDelete("cascade"))
    .addColumn("day", "text", (column) => column.notNull());
}

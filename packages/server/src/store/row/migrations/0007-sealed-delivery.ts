import type { Kysely } from "kysely";

/** Rows from before hold plain text; sealDeliverySecrets encrypts them at the next start. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("alert_settings")
    .addColumn("is_sealed", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

import type { Kysely } from "kysely";

/** When the rise of an alert began. Unknown for earlier alerts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("alerts").addColumn("began_at", "text").execute();
}

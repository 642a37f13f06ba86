import type { Kysely } from "kysely";

/** When a mute ends by itself. Earlier mutes last until they are removed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("alert_mutes").addColumn("until", "text").execute();
}

import type { Kysely } from "kysely";

/** Alerts that opened while they were muted, so that their message follows when the mute ends. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("alerts").addColumn("withheld_at", "text").execute();
  await db.schema.alterTable("alerts").addColumn("unmuted_at", "text").execute();
}

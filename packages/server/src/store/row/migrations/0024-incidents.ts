import { type Kysely, sql } from "kysely";

/**
 * Alerts of one service that began together are one incident, which has the id of its first alert. Each alert of earlier
 * versions is an incident with one signal.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("alerts").addColumn("incident_id", "text").execute();
  await sql`UPDATE alerts SET incident_id = id`.execute(db);
  await db.schema.alterTable("alerts").addColumn("circumstances", "text").execute();
  await db.schema.createIndex("alerts_by_incident").on("alerts").columns(["org_id", "incident_id"]).execute();
}

import { type Kysely, sql } from "kysely";

/** When a service's deletion ended. Earlier deletions count as finished. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("service_removals").addColumn("finished_at", "text").execute();
  await sql`UPDATE service_removals SET finished_at = removed_at`.execute(db);
}

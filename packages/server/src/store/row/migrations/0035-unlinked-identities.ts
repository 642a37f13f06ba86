import type { Kysely } from "kysely";

/** An unlinked identity keeps its row: otherwise its next sign-in would link it again by its address. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("identities").addColumn("unlinked_at", "text").execute();
}

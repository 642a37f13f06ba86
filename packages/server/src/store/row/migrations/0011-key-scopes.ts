import type { Kysely } from "kysely";

/** The scope of an API key. Earlier keys send profiles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("api_keys")
    .addColumn("scope", "text", (column) => column.notNull().defaultTo("ingest"))
    .execute();
}

import type { Kysely } from "kysely";

/** Whether an organization requires a second factor of its members. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable("organizations")
    .addColumn("requires_second_factor", "integer", (column) => column.notNull().defaultTo(0))
    .execute();
}

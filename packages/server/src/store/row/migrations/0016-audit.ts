import { type Kysely, PostgresAdapter, sql } from "kysely";

/** The audit log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("audit_entries")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) => column.notNull())
    .addColumn("at", "text", (column) => column.notNull())
    .addColumn("event", "text", (column) => column.notNull())
    .addColumn("outcome", "text", (column) => column.notNull())
    .addColumn("actor_kind", "text", (column) => column.notNull())
    .addColumn("actor_id", "text")
    .addColumn("target", "text")
    .addColumn("address", "text")
    .addColumn("user_agent", "text")
    .addColumn("request_id", "text")
    .execute();
  await db.schema.createIndex("audit_entries_by_org").on("audit_entries").columns(["org_id", "id"]).execute();
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter;
  for (const statement of isPostgres ? postgresTrigger : sqliteTrigger) await statement.execute(db);
}

/** Entries can be deleted, by age and with their organization, but not changed. */
const sqliteTrigger = [
  sql`CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries
      BEGIN SELECT RAISE(ABORT, 'audit entries cannot be changed'); END`,
];
const postgresTrigger = [
  sql`CREATE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE EXCEPTION 'audit entries cannot be changed'; END $$`,
  sql`CREATE TRIGGER audit_entries_unchanged BEFORE UPDATE ON audit_entries
      FOR EACH ROW EXECUTE FUNCTION refuse_audit_change()`,
];

import { type Kysely, sql } from "kysely";

/** Invitations, the operator, deletions of organizations, and the organization that a person used last. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("invitations")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("org_id", "text", (column) =>
      column.notNull().references("organizations.id").onDelete("cascade"),
    )
    .addColumn("token_hash", "text", (column) => column.notNull().unique())
    .addColumn("email", "text")
    .addColumn("role", "text", (column) => column.notNull())
    .addColumn("created_by", "text", (column) => column.references("users.id").onDelete("set null"))
    .addColumn("created_at", "text", (column) => column.notNull())
    .addColumn("expires_at", "text", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("invitations_by_org").on("invitations").column("org_id").execute();
  await db.schema.createIndex("invitations_by_expiry").on("invitations").column("expires_at").execute();
  await db.schema
    .createTable("operators")
    .addColumn("slot", "text", (column) => column.primaryKey())
    .addColumn("user_id", "text", (column) => column.references("users.id").onDelete("set null"))
    .execute();
  await sql`INSERT INTO operators (slot, user_id) SELECT 'first', id FROM users ORDER BY created_at, id LIMIT 1`.execute(
    db,
  );
  await db.schema
    .createTable("organization_removals")
    .addColumn("org_id", "text", (column) => column.primaryKey())
    .addColumn("name", "text", (column) => column.notNull())
    .addColumn("removed_by", "text", (column) => column.notNull())
    .addColumn("removed_at", "text", (column) => column.notNull())
    .addColumn("finished_at", "text")
    .execute();
  await db.schema.alterTable("users").addColumn("last_org_id", "text").execute();
}

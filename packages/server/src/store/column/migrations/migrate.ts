import { createHash } from "node:crypto";
import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import type { StoreLog } from "#store/log.ts";
import type { SchemaLock } from "#store/schema-lock.ts";
import { isNewerSchema } from "#store/schema-version.ts";
import type { SqlFile } from "#store/sql-files.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { columnMigrations, listingTable, statementsOf } from "./statements.ts";

export interface MigrationTarget {
  /** Name of the ClickHouse cluster: tables are created on all of it and replicated. */
  readonly cluster: string | undefined;
  /** Other servers may migrate the same database at the same time. */
  readonly lock: SchemaLock;
}

const appliedMigrations = maintenanceQuery({
  name: "migrations.applied",
  sql: "SELECT number, any(name) AS name, any(checksum) AS checksum FROM schema_migrations GROUP BY number ORDER BY number",
  params: z.object({}),
  row: z.object({ number: Count, name: z.string(), checksum: z.string() }),
});

/** Runs the missing migrations in order. Refuses a schema that is newer than this program or was changed. */
export async function migrateColumns(
  client: ColumnClient,
  target: MigrationTarget,
  log: StoreLog,
): Promise<void> {
  const migrations = columnMigrations();
  await client.command(listingTable(target.cluster));
  if ((await missingFrom(client, migrations, log)).length === 0) return;
  await target.lock((check) => runMissing(client, migrations, { ...target, check }, log));
}

async function missingFrom(
  client: ColumnClient,
  migrations: readonly SqlFile[],
  log: StoreLog,
): Promise<SqlFile[]> {
  const applied = await client.query(appliedMigrations, {});
  checkApplied(migrations, applied, log);
  const done = new Set(applied.map((row) => row.number));
  return migrations.filter(({ number }) => !done.has(number));
}

/** A migration that was interrupted is repeated from its first statement: each can run twice. */
async function runMissing(
  client: ColumnClient,
  migrations: readonly SqlFile[],
  { cluster, check }: { readonly cluster: string | undefined; readonly check: () => void },
  log: StoreLog,
): Promise<void> {
  for (const migration of await missingFrom(client, migrations, log)) {
    log.info({ migration: migration.name }, "migrating the column store");
    for (const statement of statementsOf(migration, cluster)) {
      check();
      await client.command(statement);
    }
    check();
    await client.insert({
      table: "schema_migrations",
      columns: ["number", "name", "checksum"],
      rows: JSON.stringify([migration.number, migration.name, checksumOf(migration)]),
      dedupToken: migration.name,
    });
  }
  // Earlier versions locked the schema with this table, which a killed one left behind.
  await client.command("DROP TABLE IF EXISTS schema_lock SYNC");
}

/** Throws a StoreRefused if this program cannot work on the schema. One that a newer program made may be accepted. */
export function checkApplied(
  migrations: readonly SqlFile[],
  applied: readonly { number: number; name: string; checksum: string }[],
  log: StoreLog,
): void {
  const ofNumber = (number: number) => migrations.find((each) => each.number === number);
  const own = migrations.map(({ name }) => name);
  const names = applied.map(({ number, name }) => ofNumber(number)?.name ?? name);
  isNewerSchema("column store", { applied: names, own }, log);
  for (const row of applied) {
    const migration = ofNumber(row.number);
    if (migration !== undefined && checksumOf(migration) !== row.checksum) {
      throw new StoreRefused(
        `The column store was written by another build of Flamekeep (migration ${row.name} differs). Run that build, or set DATA_DIR to a new folder.`,
      );
    }
  }
}

export function checksumOf(migration: SqlFile): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}

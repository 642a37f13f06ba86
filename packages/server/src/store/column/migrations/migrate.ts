import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import type { StoreLog } from "#store/log.ts";
import type { SqlFile } from "#store/sql-files.ts";
import { StoreRefused } from "#store/unavailable.ts";
import { columnMigrations, listingTable, statementsOf } from "./statements.ts";

export interface MigrationTarget {
  /** Name of the ClickHouse cluster: tables are created on all of it and replicated. */
  readonly cluster: string | undefined;
  /** Other servers may migrate the same database at the same time. */
  readonly isShared: boolean;
}

const lockTriesMax = 240;
const lockRetryMs = 500;

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
  if (target.isShared) await lock(client, log);
  try {
    await runMissing(client, migrations, target, log);
  } finally {
    if (target.isShared) await client.command("DROP TABLE IF EXISTS schema_lock SYNC");
  }
}

async function runMissing(
  client: ColumnClient,
  migrations: readonly SqlFile[],
  target: MigrationTarget,
  log: StoreLog,
): Promise<void> {
  const applied = await client.query(appliedMigrations, {});
  checkApplied(migrations, applied);
  const done = new Set(applied.map((row) => row.number));
  for (const migration of migrations.filter(({ number }) => !done.has(number))) {
    log.info({ migration: migration.name }, "migrating the column store");
    for (const statement of statementsOf(migration, target.cluster)) await client.command(statement);
    await client.insert({
      table: "schema_migrations",
      columns: ["number", "name", "checksum"],
      rows: JSON.stringify([migration.number, migration.name, checksumOf(migration)]),
      dedupToken: migration.name,
    });
  }
}

export function checkApplied(
  migrations: readonly SqlFile[],
  applied: readonly { number: number; name: string; checksum: string }[],
): void {
  for (const row of applied) {
    const migration = migrations.find(({ number }) => number === row.number);
    if (!migration) {
      throw new StoreRefused(
        `The column store was written by a newer Flamekeep (migration ${row.name}). Run that version or a later one.`,
      );
    }
    if (checksumOf(migration) !== row.checksum) {
      throw new StoreRefused(
        `The column store was written by another build of Flamekeep (migration ${row.name} differs). Run that build, or set DATA_DIR to a new folder.`,
      );
    }
  }
}

export function checksumOf(migration: SqlFile): string {
  return createHash("sha256").update(migration.sql).digest("hex");
}

/** CREATE TABLE is atomic, so it serves as the lock between servers that start together. */
async function lock(client: ColumnClient, log: StoreLog): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.command(
        "CREATE TABLE schema_lock (taken_at DateTime) ENGINE = MergeTree ORDER BY taken_at",
      );
      return;
    } catch (error) {
      if (!(error instanceof Error) || !("code" in error) || error.code !== "57") throw error;
      if (attempt === 1) log.info({}, "waiting: another Flamekeep migrates the column store");
      if (attempt >= lockTriesMax) {
        throw new StoreRefused(
          "The column store stayed locked for two minutes. If no other Flamekeep is starting, run: DROP TABLE schema_lock",
          { cause: error },
        );
      }
      await sleep(lockRetryMs);
    }
  }
}

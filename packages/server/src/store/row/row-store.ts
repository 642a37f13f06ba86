import {
  CamelCasePlugin,
  type DeleteResult,
  type InsertResult,
  Kysely,
  type SelectQueryBuilder,
  sql,
  type UpdateResult,
} from "kysely";
import { Migrator } from "kysely/migration";
import type { StoreLog } from "#store/log.ts";
import { placeOf, reach } from "#store/reach.ts";
import { noSchemaLock, openSchemaLock, type SchemaLock } from "#store/schema-lock.ts";
import { isNewerSchema } from "#store/schema-version.ts";
import { StoreLocked, StoreRefused, StoreUnavailable } from "#store/unavailable.ts";
import { rowMigrations } from "./migrations.ts";
import { postgresDialect } from "./postgres.ts";
import { makeRoom } from "./reserved-room.ts";
import type { Database, RowStore, RowStoreConfig } from "./schema.ts";
import { sqliteDialect } from "./sqlite-driver.ts";

export type { Database, RowStore, RowStoreConfig } from "./schema.ts";

const camelCase = new CamelCasePlugin();

/**
 * Opens the store and brings its schema up to date.
 *
 * @param stopped ends the wait for a PostgreSQL that is away
 */
export async function openRowStore(
  config: RowStoreConfig,
  log: StoreLog,
  stopped?: AbortSignal,
): Promise<RowStore> {
  const rows = connectRows(config, log);
  try {
    if (config.kind === "postgres") await reachPostgres(rows, config.url, log, stopped);
    const lock = config.kind === "postgres" ? openSchemaLock(config.url, "row store", log) : noSchemaLock;
    await migrate(rows, lock, log);
    if (config.kind === "sqlite") await makeRoom(rows);
  } catch (error) {
    await rows.destroy().catch(() => undefined);
    if (error instanceof StoreLocked && config.kind === "sqlite") throw lockedAtStart(config.file, error);
    throw error;
  }
  return rows;
}

/**
 * The store for a query that may read or change rows of every organization: the look-up of a key or a session, and the
 * server's own jobs. Tests refuse any other query that does not bind the organization.
 */
export function acrossOrganizations(rows: RowStore): RowStore {
  return rows.withoutPlugins().withPlugin(camelCase);
}

type Changes = { executeTakeFirstOrThrow(): Promise<InsertResult | UpdateResult | DeleteResult> };

/** A store whose schema is up to date, with separate connections. */
export function connectRows(config: RowStoreConfig, log: StoreLog): RowStore {
  const dialect =
    config.kind === "sqlite"
      ? sqliteDialect(config.file, config.lockWaitMs)
      : postgresDialect(config.url, log);
  return new Kysely<Database>({ dialect, plugins: [camelCase] });
}

/** Runs a statement. Whether it changed a row: only one of many concurrent statements that exclude each other does. */
export async function changesRow(statement: Changes): Promise<boolean> {
  const result = await statement.executeTakeFirstOrThrow();
  if ("numDeletedRows" in result) return result.numDeletedRows > 0n;
  if ("numUpdatedRows" in result) return result.numUpdatedRows > 0n;
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

/** The number of rows that a query finds. */
export async function countRows<T extends keyof Database, O>(
  found: SelectQueryBuilder<Database, T, O>,
): Promise<number> {
  const counting = found.clearSelect().select(({ fn }) => fn.countAll<number | string>().as("count"));
  return Number((await counting.executeTakeFirstOrThrow()).count);
}

function lockedAtStart(file: string, cause: StoreLocked): StoreRefused {
  const sentence = `Another program keeps the database ${file} locked. End it, or its open transaction, and start again.`;
  return new StoreRefused(sentence, { cause });
}

function reachPostgres(rows: RowStore, url: string, log: StoreLog, stopped?: AbortSignal): Promise<void> {
  const probe = () => sql`SELECT 1`.execute(rows);
  const name = `PostgreSQL at ${placeOf(url)}`;
  const isUnreachable = (error: unknown) => error instanceof StoreUnavailable;
  return reach({ name, setting: "DATABASE_URL", probe, isUnreachable }, log, { stopped });
}

/** All missing migrations are one transaction. Kysely's lock makes another process wait; the other lock says for whom. */
async function migrate(rows: RowStore, lock: SchemaLock, log: StoreLog): Promise<void> {
  if (await hasNewerSchema(rows, log)) return;
  const migrator = new Migrator({ db: rows.withoutPlugins(), provider: rowMigrations });
  const isComplete = (await migrator.getMigrations()).every(({ executedAt }) => executedAt !== undefined);
  const run = () => migrator.migrateToLatest();
  const { error, results = [] } = await (isComplete ? run() : lock(run));
  for (const { migrationName, status } of results) {
    log.info({ migration: migrationName, status }, "migrating the row store");
  }
  // A newer server may have migrated since the names were read.
  if (error !== undefined && !(await hasNewerSchema(rows, log))) throw error;
}

async function hasNewerSchema(rows: RowStore, log: StoreLog): Promise<boolean> {
  const own = Object.keys(await rowMigrations.getMigrations());
  return isNewerSchema("row store", { applied: await appliedMigrations(rows), own }, log);
}

/** The names in Kysely's own table, which a new store does not have. */
async function appliedMigrations(rows: RowStore): Promise<readonly string[]> {
  const tables = await rows.introspection.getTables({ withInternalKyselyTables: true });
  if (!tables.some(({ name }) => name === "kysely_migration")) return [];
  const { rows: applied } = await sql<{ name: string }>`SELECT name FROM kysely_migration`.execute(rows);
  return applied.map(({ name }) => name);
}

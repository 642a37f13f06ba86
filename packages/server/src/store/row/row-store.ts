import { CamelCasePlugin, type Dialect, Kysely, PostgresDialect, sql } from "kysely";
import { Migrator } from "kysely/migration";
import { Pool, types } from "pg";
import type { StoreLog } from "#store/log.ts";
import { placeOf, reach } from "#store/reach.ts";
import { StoreRefused } from "#store/refused.ts";
import { rowMigrations } from "./migrations.ts";
import type { Database } from "./schema.ts";
import { sqliteDialect } from "./sqlite.ts";

export type { Database, Flag, Timestamp } from "./schema.ts";

export type RowStoreConfig =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string };

/** Accounts, keys and whatever else needs transactions. Close it with `destroy()`. */
export type RowStore = Kysely<Database>;

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
  const dialect = config.kind === "sqlite" ? sqliteDialect(config.file) : postgresDialect(config.url, log);
  const rows = new Kysely<Database>({ dialect, plugins: [new CamelCasePlugin()] });
  try {
    if (config.kind === "postgres") await reachPostgres(rows, config.url, log, stopped);
    await migrate(rows, log);
  } catch (error) {
    await rows.destroy();
    throw error;
  }
  return rows;
}

function reachPostgres(rows: RowStore, url: string, log: StoreLog, stopped?: AbortSignal): Promise<void> {
  const probe = () => sql`SELECT 1`.execute(rows);
  const name = `PostgreSQL at ${placeOf(url)}`;
  return reach({ name, setting: "DATABASE_URL", probe, isAway: isPostgresAway }, log, { stopped });
}

/** No connection, or a server that starts, stops or has no place left (https://www.postgresql.org/docs/current/errcodes-appendix.html). */
function isPostgresAway(error: unknown): boolean {
  const { code = "", message = "" } = error as NodeJS.ErrnoException;
  return /^(E[A-Z_]+|57P0[123]|53300|08\w{3})$/.test(code) || /timeout|terminated/i.test(message);
}

async function migrate(rows: RowStore, log: StoreLog): Promise<void> {
  const migrator = new Migrator({ db: rows.withoutPlugins(), provider: rowMigrations });
  const { error, results = [] } = await migrator.migrateToLatest();
  for (const { migrationName, status } of results) {
    log.info({ migration: migrationName, status }, "migrating the row store");
  }
  if (error === undefined) return;
  const text = error instanceof Error ? error.message : String(error);
  // Kysely's words for a migration in the database that the program does not have.
  if (/corrupted migrations: previously executed migration .* is missing/.test(text)) {
    throw new StoreRefused(
      "The row store was written by a newer Flamekeep. Run that version or a later one.",
      {
        cause: error,
      },
    );
  }
  throw error;
}

function postgresDialect(url: string, log: StoreLog): Dialect {
  const pool = new Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    // count(*) is a bigint, which pg gives as text; SQLite gives a number.
    types: {
      getTypeParser: (id, format) => (id === types.builtins.INT8 ? toCount : types.getTypeParser(id, format)),
    },
  });
  // An idle connection that breaks (server restart) must not end the process; the next query opens another.
  pool.on("error", (error) => log.warn({ err: error }, "a connection to PostgreSQL was lost"));
  return new PostgresDialect({ pool });
}

function toCount(text: string): number {
  const count = Number(text);
  if (!Number.isSafeInteger(count)) throw new RangeError(`${text} does not fit 53 bits`);
  return count;
}

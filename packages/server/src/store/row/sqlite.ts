import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  type SqliteStatement,
} from "kysely";
import { makePrivate } from "#store/private-file.ts";
import { RetryingSqliteDriver, retryWhileLocked } from "./sqlite-driver.ts";

/** How long an operation waits while another process holds the lock of the file. */
const defaultLockWaitMs = 5_000;

/** Kysely's SQLite dialect over Node's own SQLite: acknowledged means on disk (WAL, synchronous=FULL). */
export function sqliteDialect(file: string, lockWaitMs = defaultLockWaitMs): Dialect {
  const config = {
    database: async () =>
      toKyselyDatabase(await retryWhileLocked(async () => openDatabase(file), lockWaitMs)),
  };
  const dialect = new SqliteDialect(config);
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new RetryingSqliteDriver(config, lockWaitMs),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/** Does not wait for locks: the main thread must not be blocked. */
function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true });
  makePrivate(file);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: 0 });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

class Adapter extends SqliteAdapter {
  /** SQLite's schema changes are transactional; Kysely assumes not, and a crash would leave half a migration. */
  override get supportsTransactionalDdl(): true {
    return true;
  }

  /** The driver isolates concurrent operations, and lets others run while one waits for a lock. */
  override get supportsMultipleConnections(): true {
    return true;
  }
}

function toKyselyDatabase(database: DatabaseSync): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (sql): SqliteStatement => {
      const statement = database.prepare(sql);
      const values = (parameters: readonly unknown[]) => parameters as readonly SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
}

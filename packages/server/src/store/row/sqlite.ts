import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";
import { isDiskFull } from "#store/disk-space.ts";
import { makePrivate } from "#store/private-file.ts";

const BUSY_TIMEOUT_MS = 5_000;

/** Kysely's SQLite dialect over Node's own SQLite: acknowledged means on disk (WAL, synchronous=FULL). */
export function sqliteDialect(file: string): Dialect {
  mkdirSync(dirname(file), { recursive: true });
  makePrivate(file);
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: true, timeout: BUSY_TIMEOUT_MS });
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
  reserveRoom(database);
  const config = { database: toKyselyDatabase(database) };
  const dialect = new SqliteDialect(config);
  return {
    createAdapter: () => new TransactionalAdapter(),
    createDriver: () => new ImmediateDriver(config),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createIntrospector: (db) => dialect.createIntrospector(db),
  };
}

/** More pages than the log has when it is moved into the file and begins again (`wal_autocheckpoint`, 1000 pages of 4 KB). */
const reservedBytes = 4_500_000;

/**
 * Makes room in the file and in its log, both of which keep it: so that people can sign in, register and make keys when
 * the disk is full. SQLite writes free pages and a log that begins again in place.
 */
function reserveRoom(database: DatabaseSync): void {
  try {
    database.exec(`BEGIN IMMEDIATE; CREATE TABLE IF NOT EXISTS reserved_room (bytes BLOB);
      INSERT INTO reserved_room VALUES (zeroblob(${reservedBytes})); COMMIT;`);
    // In a transaction of its own: pages that are freed in the same one are not written at all.
    database.exec("DROP TABLE IF EXISTS reserved_room; PRAGMA wal_checkpoint(RESTART)");
  } catch (error) {
    // A disk without that room is noticed where something is stored.
    if (!isDiskFull(error)) throw error;
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}

/** SQLite's schema changes are transactional; Kysely assumes not, and a crash would leave half a migration. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): true {
    return true;
  }
}

/** Takes the write lock at the start, so that a second process waits instead of failing in the middle. */
class ImmediateDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
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

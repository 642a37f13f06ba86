import { type Dialect, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from "kysely";
import { RetryingSqliteDriver } from "./sqlite-driver.ts";

/** How long an operation waits while another process holds the lock of the file. */
const defaultLockWaitMs = 5_000;

/** Kysely's SQLite dialect over Node's own SQLite: acknowledged means on disk (WAL, synchronous=FULL). */
export function sqliteDialect(file: string, lockWaitMs = defaultLockWaitMs): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new RetryingSqliteDriver(file, lockWaitMs),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class Adapter extends SqliteAdapter {
  /** SQLite's schema changes are transactional; Kysely assumes not, and a crash would leave half a migration. */
  override get supportsTransactionalDdl(): true {
    return true;
  }

  /** `runSteps` asks for it: the driver's connections run a `StatementBatch`. */
  readonly runsBatches = true;

  /** The driver isolates concurrent operations, and lets others run while one waits for a lock. */
  override get supportsMultipleConnections(): true {
    return true;
  }
}

import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from "kysely";
import { storageFaultOf } from "#store/storage-fault.ts";
import { Turns } from "#store/turns.ts";
import { StoreLocked } from "#store/unavailable.ts";
import { Groups } from "./groups.ts";
import { queryResultOf, SqliteConnection } from "./sqlite-connection.ts";
import type { Batch, Executed, ExecutedBatch, Query } from "./sqlite-thread.ts";
import { StatementBatch, type UnchangedAt } from "./statement-batch.ts";

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

/** A group holds the write lock, for which other processes may wait. */
const statementsMax = 64;

/** Kysely's nodes for statements that change rows. Their results are small. */
const writeKinds: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

/**
 * Sends the writes that wait for their turn to SQLite's thread as one group: they share a message, a commit and above all its sync. The
 * promise of a write resolves only after that sync. Each write fails alone (decision 21).
 */
export class GroupedWrites {
  readonly #groups: Groups<Batch, ExecutedBatch>;

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#groups = new Groups(turns, statementsMax, (batches) => connection.executeGroup(batches));
  }

  /** Whether the query may share a transaction with others: a transaction refuses some statements, such as `PRAGMA`. */
  static canRun(query: CompiledQuery): boolean {
    return query instanceof StatementBatch || writeKinds.has(query.query.kind);
  }

  /** Runs a query for which `canRun` is true. Rejects with SQLite's error if this query, or the commit of its group, fails. */
  async run<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const isBatch = query instanceof StatementBatch;
    const { sql, parameters } = query;
    const batch = isBatch ? query.statements : [{ sql, parameters, mustChange: false }];
    const { unchangedAt, last } = await this.#groups.run(batch);
    if (unchangedAt !== undefined) return { rows: [{ at: unchangedAt } satisfies UnchangedAt as R] };
    return isBatch || last === undefined ? { rows: [] } : queryResultOf(last);
  }
}

/** The rows of all of them are in memory at once. */
const sizeMax = 8;

/**
 * Sends the reads that wait for their turn to SQLite's thread as one message (decision 21). Each fails alone, but all do if one needs more
 * memory than the thread may have.
 */
export class GroupedReads {
  readonly #groups: Groups<Query, Executed>;

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#groups = new Groups(turns, sizeMax, (queries) => connection.executeReads(queries));
  }

  static canRun(query: CompiledQuery): boolean {
    return query.query.kind === "SelectQueryNode";
  }

  /** Runs a query for which `canRun` is true. */
  async run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return queryResultOf(await this.#groups.run({ sql, parameters }));
  }
}

const retryMs = 20;

/**
 * Lends one SQLite connection to all operations. None may wait in it for another process that holds the write lock: the busy
 * timeout is 0, and a busy operation is tried again later: a statement as a whole, a transaction only at its
 * `BEGIN IMMEDIATE`, after which nothing in it can be busy. Between two attempts other queries run.
 */
class RetryingSqliteDriver implements Driver {
  readonly #file: string;
  #shared: Shared | undefined;
  /** Only the first of the operations that found the database locked tries again. */
  readonly #retries = new Turns();
  readonly #lockWaitMs: number;

  constructor(file: string, lockWaitMs: number) {
    this.#file = file;
    this.#lockWaitMs = lockWaitMs;
  }

  async init(): Promise<void> {
    const connection = new SqliteConnection(this.#file);
    try {
      await retryUntil(() => connection.open(), performance.now() + this.#lockWaitMs);
      this.#shared = share(connection);
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    const retry = <T>(attempt: () => Promise<T>) => this.#retryWhileLocked(attempt);
    return new SharedConnection(this.#shared!, retry);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SharedConnection).begin();
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  /** SQLite rolls back by itself after an I/O error or on a full disk; the operation's own error says what happened. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    (connection as SharedConnection | undefined)?.endTurn();
  }

  async destroy(): Promise<void> {
    await this.#shared?.connection.close();
  }

  async #retryWhileLocked<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#lockWaitMs;
    const first = await attemptUnlocked(attempt);
    if (first.ok) return first.value;
    return this.#retries.run(() => retryUntil(attempt, deadline));
  }
}

/** One SQLite connection, for which transactions and statements take turns. */
interface Shared {
  readonly connection: SqliteConnection;
  readonly turns: Turns;
  readonly reads: GroupedReads;
  readonly writes: GroupedWrites;
}

function share(connection: SqliteConnection): Shared {
  const turns = new Turns();
  const reads = new GroupedReads(connection, turns);
  const writes = new GroupedWrites(connection, turns);
  return { connection, turns, reads, writes };
}

/** Throws a StoreLocked after the deadline. */
async function retryUntil<T>(attempt: () => Promise<T>, deadlineMs: number): Promise<T> {
  for (;;) {
    const result = await attemptUnlocked(attempt);
    if (result.ok) return result.value;
    if (performance.now() >= deadlineMs) {
      throw new StoreLocked("Another process holds the lock of the SQLite file.", { cause: result.cause });
    }
    await wait(retryMs);
  }
}

type Attempted<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly cause: unknown };

async function attemptUnlocked<T>(attempt: () => Promise<T>): Promise<Attempted<T>> {
  try {
    return { ok: true, value: await attempt() };
  } catch (cause) {
    if (storageFaultOf(cause) !== "busy") throw cause;
    return { ok: false, cause };
  }
}

/** The driver's one connection, lent to one operation. In a transaction it keeps its turn until it is released. */
class SharedConnection implements DatabaseConnection {
  readonly #shared: Shared;
  readonly #retry: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** Set in a transaction. */
  #endTurn: (() => void) | undefined;

  constructor(shared: Shared, retry: <T>(attempt: () => Promise<T>) => Promise<T>) {
    this.#shared = shared;
    this.#retry = retry;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const { connection, turns, reads, writes } = this.#shared;
    if (this.#endTurn !== undefined) return connection.executeQuery<R>(query, true);
    return this.#retry(() => {
      if (GroupedWrites.canRun(query)) return writes.run<R>(query);
      if (GroupedReads.canRun(query)) return reads.run<R>(query);
      return turns.run(() => connection.executeQuery<R>(query));
    });
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The SQLite driver does not stream: a stream would keep other queries waiting.");
  }

  begin(): Promise<void> {
    return this.#retry(() => {
      const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
      const { connection, turns } = this.#shared;
      const turn = turns.run(async () => {
        await connection.executeQuery(CompiledQuery.raw("begin immediate"));
        const ended = new Promise<void>((end) => {
          this.#endTurn = end;
        });
        resolve();
        await ended;
      });
      turn.catch(reject);
      return begun;
    });
  }

  endTurn(): void {
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}

import { setTimeout as wait } from "node:timers/promises";
import { CompiledQuery, type DatabaseConnection, type Driver, type QueryResult } from "kysely";
import { storageFaultOf } from "#store/storage-fault.ts";
import { Turns } from "#store/turns.ts";
import { StoreLocked } from "#store/unavailable.ts";
import { GroupedReads } from "./grouped-reads.ts";
import { GroupedWrites } from "./grouped-writes.ts";
import { SqliteConnection } from "./sqlite-connection.ts";

const retryMs = 20;

/**
 * Lends one SQLite connection to all operations. None may wait in it for another process that holds the write lock: the busy
 * timeout is 0, and a busy operation is tried again later: a statement as a whole, a transaction only at its
 * `BEGIN IMMEDIATE`, after which nothing in it can be busy. Between two attempts other queries run.
 */
export class RetryingSqliteDriver implements Driver {
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

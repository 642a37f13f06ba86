import { setTimeout as wait } from "node:timers/promises";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";
import { storageFaultOf } from "#store/storage-fault.ts";
import { Turns } from "#store/turns.ts";
import { StoreLocked } from "#store/unavailable.ts";

const retryMs = 20;

/**
 * SQLite runs on the main thread, so it must not wait there for another process that holds the write lock. The busy timeout
 * is 0, and a busy operation is tried again later: a statement as a whole, a transaction only at its `BEGIN IMMEDIATE`,
 * after which nothing in it can be busy. Between two attempts other queries run.
 */
export class RetryingSqliteDriver extends SqliteDriver {
  /** Transactions and statements share one SQLite connection. */
  readonly #turns = new Turns();
  /** Only the first of the operations that found the database locked tries again. */
  readonly #retries = new Turns();
  readonly #lockWaitMs: number;

  constructor(config: SqliteDialectConfig, lockWaitMs: number) {
    super(config);
    this.#lockWaitMs = lockWaitMs;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return new SharedConnection(await super.acquireConnection(), this.#turns, (attempt) =>
      this.#retryWhileLocked(attempt),
    );
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SharedConnection).begin();
  }

  /** SQLite rolls back by itself after an I/O error or on a full disk; the operation's own error says what happened. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      if (!/no transaction is active/.test(String(error))) throw error;
    }
  }

  override async releaseConnection(connection?: DatabaseConnection): Promise<void> {
    (connection as SharedConnection | undefined)?.endTurn();
  }

  async #retryWhileLocked<T>(attempt: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#lockWaitMs;
    const first = await attemptUnlocked(attempt);
    if (first.ok) return first.value;
    return this.#retries.run(() => retryUntil(attempt, deadline));
  }
}

/** Throws a StoreLocked after `lockWaitMs`. */
export function retryWhileLocked<T>(attempt: () => Promise<T>, lockWaitMs: number): Promise<T> {
  return retryUntil(attempt, performance.now() + lockWaitMs);
}

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
  readonly #connection: DatabaseConnection;
  readonly #turns: Turns;
  readonly #retry: <T>(attempt: () => Promise<T>) => Promise<T>;
  /** Set in a transaction. */
  #endTurn: (() => void) | undefined;

  constructor(
    connection: DatabaseConnection,
    turns: Turns,
    retry: <T>(attempt: () => Promise<T>) => Promise<T>,
  ) {
    this.#connection = connection;
    this.#turns = turns;
    this.#retry = retry;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const execute = () => this.#connection.executeQuery<R>(query);
    return this.#endTurn === undefined ? this.#retry(() => this.#turns.run(execute)) : execute();
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("The SQLite driver does not stream: a stream would keep other queries waiting.");
  }

  begin(): Promise<void> {
    return this.#retry(() => {
      const { promise: begun, resolve, reject } = Promise.withResolvers<void>();
      const turn = this.#turns.run(async () => {
        await this.#connection.executeQuery(CompiledQuery.raw("begin immediate"));
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

import type { CompiledQuery, QueryResult } from "kysely";
import type { Turns } from "#store/turns.ts";
import { queryResultOf, type SqliteConnection } from "./sqlite-connection.ts";
import type { Batch, ExecutedBatch } from "./sqlite-thread.ts";
import { StatementBatch, type UnchangedAt } from "./statement-batch.ts";

interface WaitingWrite {
  readonly batch: Batch;
  readonly resolve: (executed: ExecutedBatch) => void;
  readonly reject: (cause: unknown) => void;
}

/** More writes wait for the next group: a group holds the write lock, for which other processes may wait. */
const groupSizeMax = 64;

/** Kysely's nodes for statements that change rows. Their results are small, unlike those of a select. */
const writeKinds: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

/**
 * Sends the writes that wait for their turn to SQLite's thread as one group: they share a message, a commit and above all its sync. The
 * promise of a write resolves only after that sync. Each write fails alone (decision 21).
 */
export class GroupedWrites {
  readonly #connection: SqliteConnection;
  readonly #turns: Turns;
  #waiting: WaitingWrite[] = [];

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#connection = connection;
    this.#turns = turns;
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
    const { unchangedAt, last } = await this.#execute(batch);
    if (unchangedAt !== undefined) return { rows: [{ at: unchangedAt } satisfies UnchangedAt as R] };
    return isBatch || last === undefined ? { rows: [] } : queryResultOf(last);
  }

  #execute(batch: Batch): Promise<ExecutedBatch> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ batch, resolve, reject });
      // Later ones join the turn that this one takes.
      if (this.#waiting.length === 1) this.#takeTurn();
    });
  }

  #takeTurn(): void {
    void this.#turns.run(async () => {
      const group = this.#waiting.splice(0, groupSizeMax);
      if (this.#waiting.length > 0) this.#takeTurn();
      await this.#runGroup(group);
    });
  }

  async #runGroup(group: readonly WaitingWrite[]): Promise<void> {
    try {
      const results = await this.#connection.executeGroup(group.map(({ batch }) => batch));
      for (const [at, { resolve, reject }] of group.entries()) {
        const result = results[at];
        if (result?.status === "fulfilled") resolve(result.value);
        else reject(result?.reason);
      }
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  }
}

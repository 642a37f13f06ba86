import type { CompiledQuery, QueryResult } from "kysely";
import type { Turns } from "#store/turns.ts";
import { Groups } from "./groups.ts";
import { queryResultOf, type SqliteConnection } from "./sqlite-connection.ts";
import type { Batch, ExecutedBatch } from "./sqlite-thread.ts";
import { StatementBatch, type UnchangedAt } from "./statement-batch.ts";

/** A group holds the write lock, for which other processes may wait. */
const sizeMax = 64;

/** Kysely's nodes for statements that change rows. Their results are small. */
const writeKinds: ReadonlySet<string> = new Set(["InsertQueryNode", "UpdateQueryNode", "DeleteQueryNode"]);

/**
 * Sends the writes that wait for their turn to SQLite's thread as one group: they share a message, a commit and above all its sync. The
 * promise of a write resolves only after that sync. Each write fails alone (decision 21).
 */
export class GroupedWrites {
  readonly #groups: Groups<Batch, ExecutedBatch>;

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#groups = new Groups(turns, sizeMax, (batches) => connection.executeGroup(batches));
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

import type { CompiledQuery, QueryResult } from "kysely";
import type { Turns } from "#store/turns.ts";
import { Groups } from "./groups.ts";
import { queryResultOf, type SqliteConnection } from "./sqlite-connection.ts";
import type { Executed, Query } from "./sqlite-thread.ts";

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

import type { CompiledQuery, QueryResult } from "kysely";
import type { Turns } from "#store/turns.ts";
import { Groups } from "./groups.ts";
import { queryResultOf, type SqliteConnection } from "./sqlite-connection.ts";
import type { Executed, Query } from "./sqlite-thread.ts";

/** Sends the reads that wait for their turn to SQLite's thread as one message. Each fails alone (decision 21). */
export class GroupedReads {
  readonly #groups: Groups<Query, Executed>;

  constructor(connection: SqliteConnection, turns: Turns) {
    this.#groups = new Groups(turns, (queries) => connection.executeReads(queries));
  }

  static canRun(query: CompiledQuery): boolean {
    return query.query.kind === "SelectQueryNode";
  }

  /** Runs a query for which `canRun` is true. */
  async run<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return queryResultOf(await this.#groups.run({ sql, parameters }));
  }
}

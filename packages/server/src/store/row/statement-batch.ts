import { type CompiledQuery, createQueryId, RawNode } from "kysely";

export interface BatchedStatement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** If it changes no row, the batch is undone. */
  readonly mustChange: boolean;
}

/** The place in the batch of the statement that changed no row. */
export interface UnchangedAt {
  readonly at: number;
}

/**
 * A transaction as one query. SQLite's thread gets it as one message: each message waits until that thread is scheduled, which takes long
 * while passwords are hashed on all cores. Returns no rows after a commit.
 */
export class StatementBatch implements CompiledQuery<UnchangedAt> {
  readonly query;
  readonly queryId = createQueryId();
  readonly sql: string;
  readonly parameters = [];
  readonly statements: readonly BatchedStatement[];

  constructor(statements: readonly BatchedStatement[]) {
    this.statements = statements;
    this.sql = statements.map(({ sql }) => sql).join(";\n");
    this.query = RawNode.createWithSql(this.sql);
  }
}

import type { Compilable } from "kysely";
import type { RowStore } from "./schema.ts";
import { StatementBatch, type UnchangedAt } from "./statement-batch.ts";

/** One statement of a transaction that needs no result of another one. */
export interface Step {
  readonly statement: Compilable;
  /** The error if the statement changes no row; the transaction is undone then. Without it, it may change none. */
  readonly orThrow?: () => Error;
}

/** Runs the steps in their order, in the caller's transaction if `rows` is one, else in a new one. An error undoes the whole transaction. */
export async function runSteps(rows: RowStore, steps: readonly Step[]): Promise<void> {
  if (rows.isTransaction) return runEach(rows, steps);
  if (!("runsBatches" in rows.getExecutor().adapter)) {
    return rows.transaction().execute((transaction) => runEach(transaction, steps));
  }
  const statements = steps.map(({ statement, orThrow }) => {
    const { sql, parameters } = statement.compile();
    return { sql, parameters, mustChange: orThrow !== undefined };
  });
  const { rows: unchanged } = await rows.executeQuery<UnchangedAt>(new StatementBatch(statements));
  for (const { at } of unchanged) throw steps[at]?.orThrow?.();
}

async function runEach(rows: RowStore, steps: readonly Step[]): Promise<void> {
  for (const { statement, orThrow } of steps) {
    const { numAffectedRows = 0n } = await rows.executeQuery(statement.compile());
    if (orThrow !== undefined && numAffectedRows === 0n) throw orThrow();
  }
}

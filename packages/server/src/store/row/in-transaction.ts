import type { RowStore } from "./row-store.ts";

/** Runs the work in the caller's transaction if `rows` is one, else in a new one. An error undoes the whole transaction. */
export function inTransaction<T>(rows: RowStore, work: (rows: RowStore) => Promise<T>): Promise<T> {
  return rows.isTransaction ? work(rows) : rows.transaction().execute(work);
}

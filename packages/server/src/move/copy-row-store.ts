import type { RowStore } from "#store/row/row-store.ts";
import { StoreRefused } from "#store/unavailable.ts";
import {
  clearTable,
  countTable,
  insertRows,
  type RawRows,
  rawRows,
  readTable,
  tablesOf,
} from "./raw-rows.ts";
import { rowTables } from "./row-tables.ts";

/**
 * Makes all tables of `to` equal to those of `from`, in one transaction: rows that only `to` has are removed. Both have the same schema.
 * Resolves with the number of rows of each table.
 */
export async function copyRowStore(from: RowStore, to: RowStore): Promise<ReadonlyMap<string, number>> {
  const source = rawRows(from);
  const tables = await tablesOf(source);
  return rawRows(to)
    .transaction()
    .execute(async (transaction) => {
      for (const { name } of rowTables.toReversed()) await clearTable(transaction, name);
      const counts = new Map<string, number>();
      for (const { name } of rowTables) {
        let count = 0;
        for await (const rows of readTable(source, tables.get(name)!)) {
          await insertRows(transaction, name, rows);
          count += rows.length;
        }
        await refuseOther(transaction, name, count);
        counts.set(name, count);
      }
      return counts;
    });
}

async function refuseOther(rows: RawRows, name: string, expected: number): Promise<void> {
  const found = await countTable(rows, name);
  if (found !== expected)
    throw new StoreRefused(
      `The table ${name} has ${found} rows after copying ${expected}. Nothing was kept.`,
    );
}

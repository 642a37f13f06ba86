import type { RowStore } from "#store/row/row-store.ts";

/** How many services were ever removed on this row store: whatever remembers uploads starts anew when it grows. */
export async function countRemovals(rows: RowStore): Promise<number> {
  const counting = rows.selectFrom("serviceRemovals").select((is) => is.fn.countAll<number>().as("count"));
  return (await counting.executeTakeFirstOrThrow()).count;
}

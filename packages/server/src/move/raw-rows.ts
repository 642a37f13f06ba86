/** Rows of the row store by the names of the database, for code that treats all tables alike. */
import type { Kysely } from "kysely";
import { demoOrgId, openedOrgId } from "#context";
import type { RowStore } from "#store/row/row-store.ts";
import type { Row } from "./column-rows.ts";

/** Below the number of parameters that a statement of SQLite may have. */
const parametersMax = 20_000;
const rowsPerRead = 5_000;

/** A row store, or a transaction in it, without the names of its schema. */
export type RawRows = Kysely<Record<string, Record<string, unknown>>>;

export interface RawTable {
  readonly name: string;
  readonly columns: readonly string[];
}

export function rawRows(rows: RowStore): RawRows {
  return rows.withoutPlugins() as unknown as RawRows;
}

/** All organizations but those that servers make, the oldest first. */
export async function organizationsOf(rows: RawRows) {
  const reading = rows
    .selectFrom("organizations")
    .select(["id", "name"])
    .where("id", "not in", [demoOrgId, openedOrgId]);
  const found = await reading.orderBy("created_at").orderBy("id").execute();
  return found.map(({ id, name }) => ({ id: String(id), name: String(name) }));
}

/** All tables but those of the migrations, by name. */
export async function tablesOf(rows: RawRows): Promise<ReadonlyMap<string, RawTable>> {
  const tables = await rows.introspection.getTables();
  const own = tables.filter(({ name, isView }) => !isView && !name.startsWith("kysely_"));
  return new Map(
    own.map(({ name, columns }) => [name, { name, columns: columns.map((column) => column.name) }]),
  );
}

/** The rows of a table in which `where` has the same values, some at a time. */
export async function* readTable(
  rows: RawRows,
  { name, columns }: RawTable,
  where: Row = {},
): AsyncGenerator<readonly Row[]> {
  for (let offset = 0; ; offset += rowsPerRead) {
    let reading = rows.selectFrom(name).selectAll().limit(rowsPerRead).offset(offset);
    for (const [column, value] of Object.entries(where)) reading = reading.where(column, "=", value);
    // By every column, because pages must not overlap and tables have different keys.
    for (const column of columns) reading = reading.orderBy(column);
    const found = await reading.execute();
    if (found.length > 0) yield found;
    if (found.length < rowsPerRead) return;
  }
}

export async function insertRows(rows: RawRows, table: string, all: readonly Row[]): Promise<void> {
  const perStatement = Math.max(1, Math.floor(parametersMax / Object.keys(all[0] ?? {}).length));
  for (let at = 0; at < all.length; at += perStatement) {
    const some = all.slice(at, at + perStatement);
    await rows.insertInto(table).values(some).execute();
  }
}

/** Deletes the rows of a table in which `where` has the same values; by default all. */
export async function clearTable(rows: RawRows, table: string, where: Row = {}): Promise<void> {
  let deleting = rows.deleteFrom(table);
  for (const [column, value] of Object.entries(where)) deleting = deleting.where(column, "=", value);
  await deleting.execute();
}

export async function countTable(rows: RawRows, table: string): Promise<number> {
  const counting = rows.selectFrom(table).select(({ fn }) => fn.countAll<number | string>().as("count"));
  return Number((await counting.executeTakeFirstOrThrow()).count);
}

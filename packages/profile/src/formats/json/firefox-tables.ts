import { type JsonObject, listOr, objectOr } from "./json-text.ts";

/** The value of a column in a row; undefined where there is none. */
export type Column = (row: number) => unknown;

/**
 * A column of a table, in both of its forms:
 *
 * ```
 * { schema: { prefix: 0, frame: 1 }, data: [[null, 4], [0, 7]] }     Gecko's
 * { prefix: [null, 0], frame: [4, 7], length: 2 }                     processed
 * ```
 */
export function column(table: JsonObject, name: string): Column {
  if (!isGecko(table)) {
    const values = listOr(table[name]);
    return (row) => values[row];
  }
  const at = objectOr(table.schema)[name];
  const rows = listOr(table.data);
  if (typeof at !== "number") return () => undefined;
  return (row) => listOr(rows[row])[at];
}

function isGecko(table: JsonObject): boolean {
  return Array.isArray(table.data) && typeof table.schema === "object";
}

export function lengthOf(table: JsonObject): number {
  if (isGecko(table)) return listOr(table.data).length;
  return listOr(table.stack ?? table.frame ?? table.func ?? table.name ?? table.filename).length;
}

import { type Rows, type Table, tables } from "./tables.ts";

/** Lines of text as rows. All in one allocation of their own, so that a thread can hand them over whole. */
export function packLines(texts: Partial<Record<Table, string>>): Rows {
  let length = 0;
  for (const table of tables) length += Buffer.byteLength(texts[table] ?? "");
  if (length === 0) return {};
  const bytes = Buffer.allocUnsafeSlow(length);
  const rows: Rows = {};
  let at = 0;
  for (const table of tables) {
    const text = texts[table];
    if (text === undefined || text === "") continue;
    const end = at + bytes.write(text, at);
    rows[table] = bytes.subarray(at, end);
    at = end;
  }
  return rows;
}

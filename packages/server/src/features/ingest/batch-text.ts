import { type Lines, type Table, tables } from "./tables.ts";

/** Lines of text as bytes, all in one allocation of their own, so that a thread can hand them over whole. */
export function packLines(texts: Partial<Record<Table, string>>): Lines {
  let length = 0;
  for (const table of tables) length += Buffer.byteLength(texts[table] ?? "");
  const bytes = Buffer.allocUnsafeSlow(length);
  const lines: Lines = {};
  let at = 0;
  for (const table of tables) {
    const text = texts[table];
    if (text === undefined || text === "") continue;
    const end = at + bytes.write(text, at);
    lines[table] = bytes.subarray(at, end);
    at = end;
  }
  return lines;
}

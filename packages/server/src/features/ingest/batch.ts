import { hash } from "node:crypto";
import { free } from "#memory/free.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import { columns, type Lines, type Table, tables } from "./tables.ts";

/** One accepted upload on its way to the store. */
export interface BatchItem {
  readonly orgId: string;
  readonly profileId: string;
  readonly lines: Lines;
  readonly payload: Uint8Array | undefined;
  /** The committer's when the item was made. */
  readonly epoch: number;
}

type Content = Pick<BatchItem, "lines" | "payload">;

export function bytesOf({ lines, payload }: Content): number {
  let bytes = payload?.length ?? 0;
  for (const table of tables) bytes += lines[table]?.length ?? 0;
  return bytes;
}

/**
 * Writes the rows of the items, table by table. What they refer to goes first and `profiles` last, so that a profile that
 * can be seen is whole. Tokens come from the content: the same items again add nothing anywhere. A new `era` makes
 * new tokens, because the store remembers those of rows that were removed since.
 */
export async function writeBatch(
  store: ColumnStore,
  items: readonly BatchItem[],
  era: string,
): Promise<void> {
  const ids = items.map((item) => item.profileId).join() + era;
  await Promise.all(
    tables.filter((table) => table !== "profiles").map((table) => write(store, table, items, ids)),
  );
  await write(store, "profiles", items, ids);
}

async function write(
  store: ColumnStore,
  table: Table,
  items: readonly BatchItem[],
  ids: string,
): Promise<void> {
  const lines = items.flatMap((item) => item.lines[table] ?? []);
  if (lines.length === 0) return;
  const rows = Buffer.concat(lines);
  // Which definitions an upload brings depends on what was sent before it: only their own bytes name them.
  const isDefinition = table === "frames" || table === "stacks";
  const dedupToken = `${table}-${hash("sha256", isDefinition ? rows : ids, "hex")}`;
  await store.insert({ table, columns: columns[table], rows, dedupToken });
  free(rows);
}

/** After the items are written, or will not be. */
export function freeContent({ lines, payload }: Content): void {
  if (payload !== undefined) free(payload);
  for (const table of tables) if (lines[table] !== undefined) free(lines[table]);
}

import { hash, randomUUID } from "node:crypto";
import type { StoredType } from "@flamekeep/contract";
import { columns } from "#ingest/rows/columns.ts";
import { formatOf, type Rows, type Table, tables } from "#ingest/rows/tables.ts";
import type { PendingSnapshot } from "#ingest/snapshots/pending-snapshot.ts";
import { free } from "#memory/free.ts";
import type { ColumnStore, SeriesHour } from "#store/column/column-store.ts";

/** One accepted upload on its way to the store. */
export interface BatchItem {
  readonly orgId: string;
  readonly service: string;
  readonly profileId: string;
  readonly type: StoredType;
  readonly rows: Rows;
  readonly payload: Uint8Array | undefined;
  /** As `Encoded.hours`. */
  readonly hours: readonly number[];
  /** As `Encoded.requestTimes`. */
  readonly requestTimes?: readonly number[];
  /** The committer's `generationOf` the organization when the item was made. */
  readonly definitionsGeneration: number;
  /** Of a cumulative profile. */
  readonly snapshot?: PendingSnapshot;
}

type Content = Pick<BatchItem, "rows" | "payload">;

export function bytesOf({ rows, payload }: Content): number {
  let bytes = payload?.length ?? 0;
  for (const table of tables) bytes += rows[table]?.length ?? 0;
  return bytes;
}

export interface WriteOptions {
  /** Another one makes other tokens: the store remembers those of rows that were removed since. */
  readonly dedupNamespace: string;
  /** The same batch may have been written before, by halves. */
  readonly isDoubtful: boolean;
}

/**
 * Writes the rows of the items, table by table. What they refer to goes first and `profiles` last, so that a profile that
 * can be seen is whole. Tokens come from the content and the dedupNamespace: the same items again add nothing anywhere.
 */
export async function writeBatch(
  store: ColumnStore,
  items: readonly BatchItem[],
  options: WriteOptions,
): Promise<void> {
  const before = tables.filter((table) => table !== "profiles");
  // All of them end before anything is thrown: what is looked for or written next must not meet one that still runs.
  const fates = await Promise.allSettled(before.map((table) => write(store, table, items, options)));
  for (const fate of fates) if (fate.status === "rejected") throw fate.reason;
  await write(store, "profiles", items, options);
}

/** What the items bring of stacks and frames, for those that refer to it, where they themselves are not stored. */
export async function writeDefinitions(store: ColumnStore, items: readonly BatchItem[]): Promise<void> {
  const options = { dedupNamespace: "", isDoubtful: true };
  for (const table of ["frames", "stacks"] as const) await write(store, table, items, options);
}

async function write(
  store: ColumnStore,
  table: Table,
  items: readonly BatchItem[],
  options: WriteOptions,
): Promise<void> {
  const parts = items.flatMap((item) => item.rows[table] ?? []);
  if (parts.length === 0) return;
  const rows = Buffer.concat(parts);
  await store.insert({
    ...(table === "profiles" || table === "http_requests" ? { table, hours: seriesHours(items) } : { table }),
    columns: columns[table],
    format: formatOf(table),
    rows,
    dedupToken: `${table}-${tokenOf(table, rows, items, options)}`,
  });
  free(rows);
}

/** Each hour of each service once. */
export function seriesHours(items: readonly BatchItem[]): readonly SeriesHour[] {
  const hours = items.flatMap(({ orgId, service, hours }) =>
    hours.map((hourSeconds) => ({ orgId, service, hourSeconds })),
  );
  return [...new Map(hours.map((hour) => [JSON.stringify(Object.values(hour)), hour])).values()];
}

/**
 * Which definitions an upload brings depends on what was sent before it, so that only their own bytes name them. They
 * are no worse for being there twice, but a doubtful token must not keep them out, nor one of a batch that was killed.
 */
function tokenOf(
  table: Table,
  rows: Buffer,
  items: readonly BatchItem[],
  { dedupNamespace, isDoubtful }: WriteOptions,
): string {
  if (table !== "frames" && table !== "stacks") {
    return hash("sha256", items.map((item) => item.profileId).join() + dedupNamespace, "hex");
  }
  return isDoubtful ? randomUUID() : hash("sha256", rows, "hex") + dedupNamespace;
}

/** After the items are written, or will not be. */
export function freeContent({ rows, payload }: Content): void {
  if (payload !== undefined) free(payload);
  for (const table of tables) if (rows[table] !== undefined) free(rows[table]);
}

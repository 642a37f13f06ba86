import { hash, randomUUID } from "node:crypto";
import type { ProfileType, StoredType } from "@flamekeep/contract";
import { columns } from "#ingest/rows/columns.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { stackParts } from "#ingest/rows/packed-stacks.ts";
import { formatOf, type Rows, type Table, tables } from "#ingest/rows/tables.ts";
import type { PendingSnapshot } from "#ingest/snapshots/pending-snapshot.ts";
import type { RecordedUpload } from "#ingest/upload/recorded-upload.ts";
import { free } from "#memory/free.ts";
import type { ColumnStore, SeriesHour } from "#store/column/column-store.ts";

/** One accepted upload on its way to the store. */
export interface BatchItem {
  readonly orgId: string;
  readonly service: string;
  readonly profileId: string;
  readonly type: StoredType;
  readonly rows: Rows;
  /** Undefined once it is on disk. */
  readonly payload: Uint8Array | undefined;
  /** With it the payload is encoded again. */
  readonly recorded: RecordedUpload;
  /** Further types that the upload is listed under. Their rows are in `rows`, and their ids follow from `profileId`. */
  readonly listedTypes?: readonly ProfileType[];
  /** As `Encoded.hours`. */
  readonly hours: readonly number[];
  /** As `Encoded.requestTimes`. */
  readonly requestTimes?: readonly number[];
  /** The committer's `generationOf` the organization when the item was made. */
  readonly definitionsGeneration: number;
  /** Has no rows: they are made from the log once the store can take them. */
  readonly isPostponed?: true;
  /** Another member has it in its log since an earlier time: its service may have been removed meanwhile. */
  readonly isRepeat?: true;
  /**
   * Later uploads are compared with it, perhaps by another member: once the log has it, its sender waits for its rows too. If the store lets
   * them wait, it does not.
   */
  readonly isHeld?: true;
  /** The term of this member in which the upload was compared; absent without a cluster. */
  readonly term?: number;
  /** Set for cumulative profiles. */
  readonly snapshot?: PendingSnapshot;
}

export function batchItemOf(encoded: Encoded, definitionsGeneration: number): BatchItem {
  const { orgId, service, profileId, type, rows, payload, recorded, hours, requestTimes } = encoded;
  const times = requestTimes === undefined ? {} : { requestTimes };
  const repeated = encoded.isRepeat === undefined ? {} : { isRepeat: encoded.isRepeat };
  const others = (encoded.listed ?? []).map((listed) => listed.type).filter((listed) => listed !== type);
  const listed = others.length === 0 ? {} : { listedTypes: others };
  return {
    orgId,
    service,
    profileId,
    type,
    rows,
    payload,
    recorded,
    hours,
    ...times,
    ...listed,
    ...repeated,
    definitionsGeneration,
  };
}

/** Longer rows of stacks are inserted in parts, one after the other: each is copied here, and several times by the engine. */
const stackPartBytes = 4 * 1024 * 1024;

/** False for those that have only definitions. */
export function hasProfile({ rows }: BatchItem): boolean {
  return rows.profiles !== undefined;
}

type Content = Pick<BatchItem, "rows" | "payload">;

export function bytesOf({ rows, payload }: Content): number {
  let bytes = payload?.length ?? 0;
  for (const table of tables) bytes += rows[table]?.length ?? 0;
  return bytes;
}

/**
 * Writes the rows of the items, table by table: `profiles` last, so that a visible profile is complete. Tokens derive from the items and the
 * namespace, so that the same items again add nothing anywhere.
 *
 * @param dedupNamespace changes after removals, because the store remembers the tokens of removed rows
 * @param beforeTry called before each insert: what it throws ends the batch
 */
export async function writeBatch(
  store: Pick<ColumnStore, "insert">,
  items: readonly BatchItem[],
  { dedupNamespace, beforeTry }: { readonly dedupNamespace: string; readonly beforeTry: () => void },
): Promise<void> {
  const ids = items.map((item) => item.profileId).join();
  const token = hash("sha256", ids + dedupNamespace, "hex");
  const write = (table: Table) => writeTable(store, table, items, { token, beforeTry });
  const before = tables.filter((table) => table !== "profiles");
  // All inserts end before an error is thrown: later reads and writes must not overlap with one that still runs.
  const outcomes = await Promise.allSettled(before.map(write));
  for (const outcome of outcomes) if (outcome.status === "rejected") throw outcome.reason;
  await write("profiles");
}

interface InsertOptions {
  readonly token: string;
  readonly beforeTry: () => void;
}

async function writeTable(
  store: Pick<ColumnStore, "insert">,
  table: Table,
  items: readonly BatchItem[],
  options: InsertOptions,
): Promise<void> {
  const rows = items.flatMap((item) => item.rows[table] ?? []);
  if (rows.length === 0) return;
  if (table === "stacks") {
    for (const part of stackParts(rows, stackPartBytes)) await insert(store, table, part, items, options);
    return;
  }
  const all = Buffer.concat(rows);
  await insert(store, table, all, items, options);
  free(all);
}

async function insert(
  store: Pick<ColumnStore, "insert">,
  table: Table,
  rows: Buffer,
  items: readonly BatchItem[],
  { token, beforeTry }: InsertOptions,
): Promise<void> {
  const isCounted = table === "profiles" || table === "http_requests";
  await store.insert({
    ...(isCounted ? { table, hours: seriesHours(items) } : { table }),
    columns: columns[table],
    format: formatOf(table),
    rows,
    beforeTry,
    // Definitions that are stored twice do no harm, but a token whose rows a killed engine has lost would keep them out.
    dedupToken: `${table}-${isCounted ? token : randomUUID()}`,
  });
}

/** Each hour of each service once. */
export function seriesHours(
  items: readonly Pick<BatchItem, "orgId" | "service" | "hours">[],
): readonly SeriesHour[] {
  const hours = items.flatMap(({ orgId, service, hours }) =>
    hours.map((hourSeconds) => ({ orgId, service, hourSeconds })),
  );
  return [...new Map(hours.map((hour) => [JSON.stringify(Object.values(hour)), hour])).values()];
}

/** To be called once the items are written or rejected. */
export function freeContent({ rows, payload }: Content): void {
  if (payload !== undefined) free(payload);
  for (const table of tables) if (rows[table] !== undefined) free(rows[table]);
}

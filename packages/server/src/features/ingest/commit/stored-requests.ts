import { storedRequestDays } from "#ingest/queries.ts";
import type { ColumnStore } from "#store/column/column-store.ts";
import type { BatchItem } from "./batch.ts";

/** Days (UTC) whose HTTP requests are stored, by organization and profile. */
export type StoredRequests = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * What is there of the items' HTTP requests, although the profile that stands for them is missing: that one is written
 * after them, and may have been refused. A token would not tell, because it names a batch, and the next is another.
 */
export async function storedRequests(
  store: ColumnStore,
  items: readonly BatchItem[],
): Promise<StoredRequests> {
  const places = items.flatMap(({ orgId, profileId, service, requestTimes = [] }) =>
    requestTimes.map((time) => ({ orgId, profileId, service, time })),
  );
  if (places.length === 0) return new Map();
  const rows = await store.query(storedRequestDays, {
    days: [...new Set(places.map(({ time }) => new Date(time).toISOString().slice(0, 10)))],
    orgIds: places.map(({ orgId }) => orgId),
    services: places.map(({ service }) => service),
    times: places.map(({ time }) => time),
    profileIds: places.map(({ profileId }) => profileId),
  });
  const byItem = Map.groupBy(rows, keyOf);
  return new Map([...byItem].map(([key, own]) => [key, new Set(own.map(({ day }) => day))]));
}

/** The items without the lines of requests that are stored. */
export function withoutStored(items: readonly BatchItem[], stored: StoredRequests): readonly BatchItem[] {
  if (stored.size === 0) return items;
  return items.map((item) => {
    const days = stored.get(keyOf(item));
    const { http_requests: all, ...rows } = item.rows;
    if (days === undefined || all === undefined) return item;
    const left = linesOfOtherDays(all, days);
    return { ...item, rows: left.length === 0 ? rows : { ...rows, http_requests: left } };
  });
}

function linesOfOtherDays(lines: Uint8Array, days: ReadonlySet<string>): Uint8Array {
  const all = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString().split("\n");
  const left = all.filter((line) => line !== "" && !days.has(dayOf(line)));
  return Buffer.from(left.map((line) => `${line}\n`).join(""));
}

/** A line begins with organization, service and time. */
function dayOf(line: string): string {
  return (JSON.parse(line) as [string, string, string])[2].slice(0, 10);
}

function keyOf({ orgId, profileId }: { readonly orgId: string; readonly profileId: string }): string {
  return `${orgId}/${profileId}`;
}

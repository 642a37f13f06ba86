import { z } from "zod";
import { type ProfileRef, profileKey } from "#ingest/encode/profile-id.ts";
import { columns } from "#ingest/rows/columns.ts";
import type { SeriesHour } from "#store/column/column-store.ts";
import { type ColumnReader, query } from "#store/column/query.ts";
import { utcDayOf } from "#store/column/utc.ts";
import { Day } from "#store/column/values.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import type { BatchItem } from "./batch.ts";

/** Which of these profiles are stored, and the hours that count them. Ids name their day, so that only those partitions are looked into. */
const storedIds = query({
  name: "ingest.stored_ids",
  sql: `SELECT toString(org_id) AS orgId, profile_id AS profileId, service,
      toUnixTimestamp(toStartOfHour(started_at)) AS hourSeconds
    FROM profiles
    WHERE toDate(started_at) IN {days:Array(Date)}
      AND org_id IN {orgIds:Array(UUID)}
      AND profile_id IN {profileIds:Array(String)}`,
  params: z.object({ days: z.array(Day), orgIds: z.array(z.uuid()), profileIds: z.array(z.string()) }),
  row: z.object({ orgId: z.string(), profileId: z.string(), service: z.string(), hourSeconds: z.int() }),
});

/** On which days requests of these uploads are stored, looked for at the times they have. Each list names one place. */
const storedRequestDays = query({
  name: "ingest.stored_request_days",
  sql: `SELECT DISTINCT toString(org_id) AS orgId, profile_id AS profileId, toDate(at) AS day
    FROM http_requests
    WHERE toDate(at) IN {days:Array(Date)}
      AND (org_id, service, at) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)},
        arrayMap(ms -> fromUnixTimestamp64Milli(ms, 'UTC'), {times:Array(Int64)}))
      AND profile_id IN {profileIds:Array(String)}`,
  params: z.object({
    days: z.array(Day),
    orgIds: z.array(z.uuid()),
    services: z.array(z.string()),
    times: z.array(z.int()),
    profileIds: z.array(z.string()),
  }),
  row: z.object({ orgId: z.string(), profileId: z.string(), day: Day }),
});

const timeIndex = columns.http_requests.indexOf("at");

/** Separates `items` by whether their profile is stored, with one query. `hours` are those that count the stored ones. */
export async function splitStored<T>(
  store: ColumnReader,
  items: readonly T[],
  refOf: (item: T) => ProfileRef,
): Promise<{ stored: T[]; missing: T[]; hours: readonly SeriesHour[] }> {
  const refs = items.map(refOf);
  const rows = await store.query(storedIds, {
    days: [...new Set(refs.map(({ profileId }) => dayOf(profileId)!))],
    orgIds: [...new Set(refs.map(({ orgId }) => orgId))],
    profileIds: refs.map(({ profileId }) => profileId),
  });
  const storedKeys = new Set(rows.map(profileKey));
  const isStored = (item: T) => storedKeys.has(profileKey(refOf(item)));
  const missing = items.filter((item) => !isStored(item));
  return { stored: items.filter(isStored), missing, hours: rows };
}

/** Days (UTC) whose HTTP requests are stored, by organization and profile. */
export type StoredRequests = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * The items' HTTP requests that are stored although their profile is missing: it is written after them and may have been
 * refused. Tokens cannot prevent duplicates here, because they name a batch and the next batch has other items.
 */
export async function storedRequests(
  store: ColumnReader,
  items: readonly BatchItem[],
): Promise<StoredRequests> {
  const places = items.flatMap(({ orgId, profileId, service, requestTimes = [] }) =>
    requestTimes.map((time) => ({ orgId, profileId, service, time })),
  );
  if (places.length === 0) return new Map();
  const rows = await store.query(storedRequestDays, {
    days: [...new Set(places.map(({ time }) => utcDayOf(time)))],
    orgIds: places.map(({ orgId }) => orgId),
    services: places.map(({ service }) => service),
    times: places.map(({ time }) => time),
    profileIds: places.map(({ profileId }) => profileId),
  });
  const byItem = Map.groupBy(rows, profileKey);
  return new Map([...byItem].map(([key, rowsOfItem]) => [key, new Set(rowsOfItem.map(({ day }) => day))]));
}

/** The items without the lines of requests that are stored. */
export function withoutStored(items: readonly BatchItem[], stored: StoredRequests): readonly BatchItem[] {
  if (stored.size === 0) return items;
  return items.map((item) => {
    const days = stored.get(profileKey(item));
    const { http_requests: all, ...rows } = item.rows;
    if (days === undefined || all === undefined) return item;
    const left = linesOfOtherDays(all, days);
    return { ...item, rows: left.length === 0 ? rows : { ...rows, http_requests: left } };
  });
}

function linesOfOtherDays(lines: Uint8Array, days: ReadonlySet<string>): Uint8Array {
  const all = Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength).toString().split("\n");
  const left = all.filter((line) => line !== "" && !days.has(dayOfLine(line)));
  return Buffer.from(left.map((line) => `${line}\n`).join(""));
}

function dayOfLine(line: string): string {
  return (JSON.parse(line) as string[])[timeIndex]!.slice(0, 10);
}

/** An organization's rows of the column store, in pieces that fit in memory. */
import { preferredTypes } from "@flamekeep/profile";
import { z } from "zod";
import { type ColumnReader, query } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";
import { QueryTooExpensive } from "#store/unavailable.ts";

/** Rows that roll-ups are made of, and the definitions that they refer to, in the order in which they are written. */
export const columnTables = ["frames", "stacks", "http_requests", "profiles"] as const;
export type ColumnTable = (typeof columnTables)[number];

/** A row by the names of its columns, as ClickHouse writes JSON: 64-bit integers are text. */
export type Row = Readonly<Record<string, unknown>>;

/** Rows of one day (UTC): that on which a profile began, a request arrived, or a definition was used. */
export interface Piece {
  readonly table: ColumnTable;
  readonly day: string;
  readonly rows: readonly Row[];
}

export interface ProfileRef {
  readonly profileId: string;
  readonly type: string;
}

const definitionsPerPiece = 50_000;
const requestsPerPiece = 50_000;
/** Usually a profile has tens of kilobytes of stacks and values. */
const profilesPerPiece = 200;

const OfDay = z.object({ orgId: z.uuid(), day: Day });
const OfProfiles = OfDay.extend({ profileIds: z.array(z.string()) });
const OfShare = OfDay.extend({ shares: z.int(), share: z.int() });
const anyRow = z.record(z.string(), z.unknown());

/** The days of everything that an organization has, oldest first. */
export async function daysOf(columns: ColumnReader, orgId: string): Promise<string[]> {
  return (await columns.query(days, { orgId })).map(({ day }) => day);
}

/** The profiles that began on a day, batches of HTTP metrics included. */
export function profilesOf(columns: ColumnReader, orgId: string, day: string): Promise<ProfileRef[]> {
  return columns.query(profileRefs, { orgId, day, preferred: [...preferredTypes] });
}

/** Ids of the batches that HTTP requests of a day belong to, and their number on that day. */
export function batchesOf(columns: ColumnReader, orgId: string, day: string) {
  return columns.query(requestCounts, { orgId, day });
}

export async function* piecesOf(
  columns: ColumnReader,
  orgId: string,
  day: string,
  table: ColumnTable,
): AsyncGenerator<Piece> {
  for await (const rows of rowsOf(columns, orgId, day, table))
    if (rows.length > 0) yield { table, day, rows };
}

function rowsOf(columns: ColumnReader, orgId: string, day: string, table: ColumnTable) {
  switch (table) {
    case "frames":
    case "stacks":
      return definitionRows(columns, { orgId, day }, table);
    case "http_requests":
      return requestRows(columns, { orgId, day });
    case "profiles":
      return profileRows(columns, { orgId, day });
  }
}

interface DayOf {
  readonly orgId: string;
  readonly day: string;
}

async function* definitionRows(columns: ColumnReader, of: DayOf, table: "frames" | "stacks") {
  const { counting, reading } = definitions[table];
  const [{ count = 0 } = {}] = await columns.query(counting, of);
  const shares = Math.ceil(count / definitionsPerPiece);
  for (let share = 0; share < shares; share++) yield await columns.query(reading, { ...of, shares, share });
}

async function* requestRows(columns: ColumnReader, of: DayOf) {
  let ids: string[] = [];
  let requests = 0;
  for (const { profileId, count } of await batchesOf(columns, of.orgId, of.day)) {
    if (requests > 0 && requests + count > requestsPerPiece) {
      yield await columns.query(requestsOfBatches, { ...of, profileIds: ids });
      [ids, requests] = [[], 0];
    }
    ids.push(profileId);
    requests += count;
  }
  if (ids.length > 0) yield await columns.query(requestsOfBatches, { ...of, profileIds: ids });
}

async function* profileRows(columns: ColumnReader, of: DayOf) {
  const refs = await profilesOf(columns, of.orgId, of.day);
  const ids = refs.map(({ profileId }) => profileId);
  for (let at = 0; at < ids.length; at += profilesPerPiece)
    yield* halved(ids.slice(at, at + profilesPerPiece), (profileIds) =>
      columns.query(profilesById, { ...of, profileIds }),
    );
}

/** Reads fewer at a time where their rows are large. */
async function* halved(
  ids: readonly string[],
  read: (ids: string[]) => Promise<Row[]>,
): AsyncGenerator<readonly Row[]> {
  const rows = await read([...ids]).catch((error: unknown) => {
    if (ids.length === 1 || !(error instanceof QueryTooExpensive)) throw error;
  });
  if (rows !== undefined) return yield rows;
  const middle = Math.ceil(ids.length / 2);
  yield* halved(ids.slice(0, middle), read);
  yield* halved(ids.slice(middle), read);
}

const days = query({
  name: "move.days",
  sql: `SELECT day FROM (
      SELECT toString(toDate(started_at)) AS day FROM profiles WHERE org_id = {orgId:UUID}
      UNION DISTINCT SELECT toString(toDate(at)) AS day FROM http_requests WHERE org_id = {orgId:UUID}
      UNION DISTINCT SELECT toString(day) AS day FROM stacks WHERE org_id = {orgId:UUID}
      UNION DISTINCT SELECT toString(day) AS day FROM frames WHERE org_id = {orgId:UUID})
    ORDER BY day`,
  params: z.object({ orgId: z.uuid() }),
  row: z.object({ day: Day }),
});

/** The listing that has the bytes of an upload comes before its others, which become references to it. */
const profileRefs = query({
  name: "move.profile-refs",
  sql: `SELECT profile_id AS profileId, type FROM profiles
    WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date}
    ORDER BY service, has({preferred:Array(String)}, type) DESC, indexOf({preferred:Array(String)}, type), started_at, profile_id`,
  params: OfDay.extend({ preferred: z.array(z.string()) }),
  row: z.object({ profileId: z.string(), type: z.string() }),
});

const profilesById = query({
  name: "move.profiles",
  sql: `SELECT * FROM profiles
    WHERE org_id = {orgId:UUID} AND toDate(started_at) = {day:Date} AND profile_id IN {profileIds:Array(String)}
    ORDER BY service, type, started_at, profile_id`,
  params: OfProfiles,
  row: anyRow,
  hasWideRows: true,
});

const requestCounts = query({
  name: "move.request-counts",
  sql: `SELECT profile_id AS profileId, count() AS count FROM http_requests
    WHERE org_id = {orgId:UUID} AND toDate(at) = {day:Date} GROUP BY profile_id ORDER BY profile_id`,
  params: OfDay,
  row: z.object({ profileId: z.string(), count: Count }),
});

const requestsOfBatches = query({
  name: "move.requests",
  sql: `SELECT * FROM http_requests
    WHERE org_id = {orgId:UUID} AND toDate(at) = {day:Date} AND profile_id IN {profileIds:Array(String)}
    ORDER BY profile_id, at`,
  params: OfProfiles,
  row: anyRow,
});

const definitions = { frames: definitionQueries("frames"), stacks: definitionQueries("stacks") };

function definitionQueries(table: "frames" | "stacks") {
  const id = table === "frames" ? "frame_id" : "stack_id";
  const ofDay = "org_id = {orgId:UUID} AND day = {day:Date}";
  return {
    counting: query({
      name: `move.count-${table}`,
      sql: `SELECT count() AS count FROM ${table} WHERE ${ofDay}`,
      params: OfDay,
      row: z.object({ count: Count }),
    }),
    reading: query({
      name: `move.${table}`,
      sql: `SELECT * FROM ${table} WHERE ${ofDay} AND ${id} % {shares:UInt64} = {share:UInt64}
        ORDER BY ${id} LIMIT 1 BY ${id}`,
      params: OfShare,
      row: anyRow,
    }),
  };
}

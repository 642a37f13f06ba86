import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { ColumnClient, RowsToInsert } from "#store/column/client/client.ts";
import { type BytesStatement, maintenanceQuery } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";
import { QueryTooExpensive } from "#store/unavailable.ts";

/** Usually a profile has tens of kilobytes of stacks and values. */
const profilesPerRead = 500;
const definitionsPerRead = 200_000;
/** Far below the limit of a request to the engine (256 MiB), and small enough for its memory. */
const insertBytesDefault = 32_000_000;

/** Both stores have the same schema. */
export interface CopyTask {
  readonly source: ColumnClient;
  readonly target: ColumnClient;
  /** Rows of one insert. Larger batches are copied in halves, down to a single profile. */
  readonly insertBytesMax?: number | undefined;
  /** Receives a line about each day. */
  readonly progress: (line: string) => void;
}

export interface Copied {
  readonly profiles: number;
  /** Profiles of the source that the target already had. */
  readonly inBoth: number;
}

/**
 * Copies the profiles of the source that the target lacks, with their requests, payloads, stacks and frames. Views of the
 * target count them during the insert. The next copy completes an interrupted one, provided that recountDays ran over
 * the days of the source before and after.
 */
export async function copyRows(task: CopyTask): Promise<Copied> {
  let profiles = 0;
  let inBoth = 0;
  for (const { day } of await task.source.query(definitionDays, {})) {
    task.progress(`  ${day}: stacks and functions`);
    await copyDefinitions(task, "stacks", "stack_id", day);
    await copyDefinitions(task, "frames", "frame_id", day);
  }
  for (const { day } of await task.source.query(profileDays, {})) {
    const existing = new Set((await task.target.query(profilesOfDay, { day })).map(keyOf));
    const all = await task.source.query(profilesOfDay, { day });
    const missing = all.filter((profile) => !existing.has(keyOf(profile)));
    inBoth += all.length - missing.length;
    profiles += missing.length;
    task.progress(`  ${day}: ${missing.length} profiles to copy, ${all.length - missing.length} in both`);
    for (let at = 0; at < missing.length; at += profilesPerRead) {
      await copyProfiles(task, day, missing.slice(at, at + profilesPerRead));
    }
  }
  return { profiles, inBoth };
}

interface ProfileKey {
  readonly orgId: string;
  readonly profileId: string;
  readonly type: string;
}

const keyOf = ({ orgId, profileId }: ProfileKey): string => `${orgId} ${profileId}`;

/** Profiles go last, as in ingestion: every stored profile has all its other rows. */
async function copyProfiles(task: CopyTask, day: string, profiles: readonly ProfileKey[]): Promise<void> {
  // Finding requests by their profile reads the whole table.
  if (profiles.some(({ type }) => type === "metrics"))
    await copyOfProfiles(task, "http_requests", day, profiles);
  await copyOfProfiles(task, "payloads", day, profiles);
  await copyOfProfiles(task, "profiles", day, profiles);
}

async function copyOfProfiles(
  task: CopyTask,
  table: "http_requests" | "payloads" | "profiles",
  day: string,
  profiles: readonly ProfileKey[],
): Promise<void> {
  const params = {
    day,
    orgIds: profiles.map(({ orgId }) => orgId),
    ids: profiles.map(({ profileId }) => profileId),
  };
  const chosen = "(org_id, profile_id) IN arrayZip({orgIds:Array(UUID)}, {ids:Array(String)})";
  const where = table === "http_requests" ? chosen : `toDate(started_at) = {day:Date} AND ${chosen}`;
  if ((await copy(task, table, where, params, profiles.length > 1)) === "copied") return;
  const middle = Math.ceil(profiles.length / 2);
  await copyOfProfiles(task, table, day, profiles.slice(0, middle));
  await copyOfProfiles(task, table, day, profiles.slice(middle));
}

/** Copying a definition twice changes nothing: the tables replace equal rows. */
async function copyDefinitions(
  task: CopyTask,
  table: "stacks" | "frames",
  id: string,
  day: string,
): Promise<void> {
  const counting = maintenanceQuery({
    name: "restore.definitions",
    sql: `SELECT count() AS count FROM ${table} WHERE day = {day:Date}`,
    params: z.object({ day: Day }),
    row: z.object({ count: Count }),
  });
  const [{ count = 0 } = {}] = await task.source.query(counting, { day });
  const shares = Math.ceil(count / definitionsPerRead);
  const where = `day = {day:Date} AND ${id} % {shares:UInt64} = {share:UInt64}`;
  const copyShare = async (shares: number, share: number): Promise<void> => {
    if ((await copy(task, table, where, { day, shares, share }, shares < 2 * count)) === "copied") return;
    await copyShare(2 * shares, share);
    await copyShare(2 * shares, share + shares);
  };
  for (let share = 0; share < shares; share++) await copyShare(shares, share);
}

/**
 * Inserts all of the rows or none.
 *
 * @param canHalve whether the caller can copy the rows in halves; otherwise they are inserted whatever their size
 */
async function copy(
  { source, target, insertBytesMax = insertBytesDefault }: CopyTask,
  table: string,
  where: string,
  params: Record<string, unknown>,
  canHalve: boolean,
): Promise<"copied" | "too large"> {
  const columns = (await source.query(storedColumns, { table })).map(({ name }) => name);
  const reading: BytesStatement<Record<string, unknown>> = {
    name: `restore.${table}`,
    sql: `SELECT ${columns.map((name) => `\`${name}\``).join(", ")} FROM ${table} WHERE ${where}`,
    params: z.record(z.string(), z.unknown()),
  };
  const rows = await source.queryBytes(reading, params).catch((error: unknown) => {
    if (canHalve && error instanceof QueryTooExpensive) return undefined;
    throw error;
  });
  if (rows === undefined || (canHalve && rows.length > insertBytesMax)) return "too large";
  if (rows.length === 0) return "copied";
  const batch: RowsToInsert = { table, columns, rows, format: "RowBinary", dedupToken: randomUUID() };
  await target.insert(batch);
  return "copied";
}

const storedColumns = maintenanceQuery({
  name: "restore.columns",
  sql: `SELECT name FROM system.columns
        WHERE database = currentDatabase() AND table = {table:String}
          AND default_kind NOT IN ('EPHEMERAL', 'ALIAS', 'MATERIALIZED')
        ORDER BY position`,
  params: z.object({ table: z.string() }),
  row: z.object({ name: z.string() }),
});

const profileDays = maintenanceQuery({
  name: "restore.profile-days",
  sql: "SELECT DISTINCT toString(toDate(started_at)) AS day FROM profiles ORDER BY day",
  params: z.object({}),
  row: z.object({ day: Day }),
});

const definitionDays = maintenanceQuery({
  name: "restore.definition-days",
  sql: `SELECT DISTINCT toString(day) AS day FROM
        (SELECT day FROM stacks UNION DISTINCT SELECT day FROM frames) ORDER BY day`,
  params: z.object({}),
  row: z.object({ day: Day }),
});

const profilesOfDay = maintenanceQuery({
  name: "restore.profiles-of-day",
  sql: `SELECT org_id AS orgId, profile_id AS profileId, type FROM profiles
        WHERE toDate(started_at) = {day:Date} ORDER BY service, started_at, profile_id`,
  params: z.object({ day: Day }),
  row: z.object({ orgId: z.uuid(), profileId: z.string(), type: z.string() }),
});

/** Days of all profiles and requests of a store. */
export async function daysOf(client: ColumnClient): Promise<string[]> {
  return (await client.query(rowDays, {})).map(({ day }) => day);
}

const rowDays = maintenanceQuery({
  name: "restore.row-days",
  sql: `SELECT DISTINCT toString(toDate(started_at)) AS day FROM profiles
        UNION DISTINCT SELECT DISTINCT toString(toDate(at)) AS day FROM http_requests`,
  params: z.object({}),
  row: z.object({ day: Day }),
});

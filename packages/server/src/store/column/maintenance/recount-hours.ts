import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count, Day } from "#store/column/values.ts";
import type { SeriesHour } from "#store/column/write/doubtful-hours.ts";

/** Limits the size of the parameters of a statement: a name may have 200 characters. */
const hoursPerRunMax = 500;

/**
 * Recounts the roll-ups of these hours from their rows, and removes HTTP requests whose profile is missing.
 *
 * A view writes its roll-up after the rows it counts, so an interrupted insert leaves rows uncounted. A batch of
 * HTTP metrics is stored before the profile that represents it, so a sender that got no answer and sends it again would
 * store its requests twice. Running this twice changes nothing, so it may be interrupted as well: it throws once `stopped` is aborted.
 */
export async function recountHours(
  client: ColumnClient,
  hours: readonly SeriesHour[],
  stopped?: AbortSignal,
): Promise<void> {
  // In order of time, so that each run changes the parts of one or two days only.
  const inOrder = hours.toSorted((a, b) => a.hourSeconds - b.hourSeconds);
  for (let at = 0; at < inOrder.length; at += hoursPerRunMax) {
    await recountRun(client, inOrder.slice(at, at + hoursPerRunMax), stopped);
  }
}

async function recountRun(
  client: ColumnClient,
  hours: readonly SeriesHour[],
  stopped: AbortSignal | undefined,
): Promise<void> {
  const params = {
    orgIds: hours.map(({ orgId }) => orgId),
    services: hours.map(({ service }) => service),
    hours: hours.map(({ hourSeconds }) => hourSeconds),
  };
  const remove = async (table: string, where: string) => {
    stopped?.throwIfAborted();
    await client.command(`DELETE FROM ${table} WHERE ${where} SETTINGS lightweight_deletes_sync = 2`, params);
  };
  await remove("http_requests", `${withinHours("at")} AND ${hasNoProfile}`);
  await recountScope(client, {
    params,
    rowsAt: withinHours,
    clear: (table, clock) => remove(table, withinHours(clock)),
  });
}

/**
 * Recounts the roll-ups of whole days, of all services, from their rows, and removes HTTP requests whose profile is missing. A day is
 * a partition of each table, so that its roll-ups are dropped at once: for many hours this is far quicker than `recountHours`.
 * No server may use the store meanwhile. Running it twice changes nothing.
 *
 * @param onRecounted called after each day with the number of days that are done
 */
export async function recountDays(
  client: ColumnClient,
  days: readonly string[],
  onRecounted: (days: number) => void = () => undefined,
): Promise<void> {
  for (const [index, day] of days.toSorted().entries()) {
    await removeUnanswered(client, day);
    await recountScope(client, {
      params: { day },
      rowsAt: (clock) => `toDate(${clock}) = {day:Date}`,
      clear: (table) => client.command(`ALTER TABLE ${table} DROP PARTITION '${Day.parse(day)}'`),
    });
    onRecounted(index + 1);
  }
}

/** A day whose roll-ups were compared with its rows. */
export interface RecountedDay {
  readonly day: string;
  /** HTTP requests without a profile, which were removed. */
  readonly requestsRemoved: number;
  /** Roll-ups that were counted again, and the sums that they had and have: of profiles or of requests. */
  readonly corrected: readonly { readonly table: string; readonly before: string; readonly after: string }[];
}

/**
 * Compares the roll-ups of all days with their rows, and recounts the days that differ. No server may use the store meanwhile.
 *
 * @param onCluster `ON CLUSTER` and its name, or nothing
 * @param before called before each day; what it throws ends the recount
 */
export async function recountStore(
  client: ColumnClient,
  onCluster: string,
  { before, after }: { readonly before: () => Promise<void>; readonly after: (day: RecountedDay) => void },
): Promise<void> {
  const all = await client.query(views, {});
  for (const { day } of await client.query(countedDays, {
    tables: [...sources.map(({ table }) => table), ...all.map(({ target }) => target)],
  })) {
    await before();
    const requestsRemoved = await removeUnanswered(client, day, onCluster);
    const differing: { readonly view: View; readonly sum: string }[] = [];
    for (const view of all) {
      const [stored, counted] = await digestsOf(client, view, day);
      if (stored.digest !== counted.digest) differing.push({ view, sum: counted.sum });
    }
    if (differing.length > 0 || requestsRemoved > 0) {
      await recountScope(client, {
        params: { day },
        parts: await client.query(hoursOfDay, { day }),
        rowsAt: (clock) => `toDate(${clock}) = {day:Date} AND toHour(${clock}) = {hour:UInt8}`,
        clear: (table) =>
          client.command(`ALTER TABLE ${table} ${onCluster} DROP PARTITION '${Day.parse(day)}'`),
      });
    }
    const corrected: RecountedDay["corrected"][number][] = [];
    for (const { view, sum } of differing)
      corrected.push({ table: view.target, before: sum, after: (await digestsOf(client, view, day))[1].sum });
    after({ day, requestsRemoved, corrected });
  }
}

/** Requests are stored before the profile that represents them: see `recountHours`. Returns how many there were. */
async function removeUnanswered(client: ColumnClient, day: string, onCluster = ""): Promise<number> {
  const [{ count = 0 } = {}] = await client.query(unansweredRequests, { day });
  if (count === 0) return 0;
  await client.command(
    `DELETE FROM http_requests ${onCluster} WHERE ${isUnanswered} SETTINGS lightweight_deletes_sync = 2`,
    { day },
  );
  return count;
}

interface Digest {
  readonly digest: string;
  readonly sum: string;
}

/**
 * The digests of a day: of its rows, and of their roll-up. A digest adds up the counts, each multiplied with the hash of what it counts: it is the same
 * however the rows are grouped, and another one if any count differs.
 */
async function digestsOf(client: ColumnClient, view: View, day: string): Promise<readonly [Digest, Digest]> {
  const { keys, counts, columns, target } = view;
  const [counted = "rows"] = counts.filter((name) => name === "profiles" || name === "requests");
  const terms = counts.map((name) => `cityHash64(${keys.join(", ")}, '${name}') * toUInt64(${name})`);
  const clock = ["minute", "hour", "day"].find((name) => columns.includes(name)) ?? "";
  const read = async (rows: string) => {
    const digest = maintenanceQuery({
      name: "recount.digest",
      sql: `SELECT toString(sum(${terms.join(" + ")})) AS digest, toString(sum(${counted})) AS sum FROM ${rows}`,
      params: z.object({ day: Day }),
      row: z.object({ digest: z.string(), sum: z.string() }),
    });
    return (await client.query(digest, { day }))[0]!;
  };
  const ofDay = (at: string) => `toDate(${at}) = {day:Date}`;
  return [await read(`(${selectOf(view, ofDay)})`), await read(`${target} WHERE ${ofDay(clock)}`)];
}

const countedDays = maintenanceQuery({
  name: "recount.days",
  sql: `SELECT DISTINCT partition AS day FROM system.parts
        WHERE database = currentDatabase() AND active AND table IN {tables:Array(String)} ORDER BY day`,
  params: z.object({ tables: z.array(z.string()) }),
  row: z.object({ day: Day }),
});

const hoursOfDay = maintenanceQuery({
  name: "recount.hours",
  sql: `SELECT toHour(started_at) AS hour FROM profiles WHERE toDate(started_at) = {day:Date}
        UNION DISTINCT SELECT toHour(at) AS hour FROM http_requests WHERE toDate(at) = {day:Date}`,
  params: z.object({ day: Day }),
  row: z.object({ hour: z.int() }),
});

const isUnanswered = `toDate(at) = {day:Date}
  AND (org_id, profile_id) NOT IN (SELECT org_id, profile_id FROM profiles WHERE type = 'metrics')`;

const unansweredRequests = maintenanceQuery({
  name: "recount.unanswered-requests",
  sql: `SELECT count() AS count FROM http_requests WHERE ${isUnanswered}`,
  params: z.object({ day: Day }),
  row: z.object({ count: Count }),
});

/** The rows that are counted again, and how their roll-ups are removed first. */
interface RecountScope {
  readonly params: Record<string, unknown>;
  /** Parameters of each of several inserts, where one alone could take too long. */
  readonly parts?: readonly Record<string, unknown>[];
  /** The condition that selects rows, given their time column. */
  rowsAt(clock: string): string;
  /** Removes the rows of a roll-up, given its time column. */
  clear(table: string, clock: string): Promise<void>;
}

/** Recounts the roll-ups of a scope in which each HTTP request has its profile. */
async function recountScope(client: ColumnClient, scope: RecountScope): Promise<void> {
  const { params, parts = [{}] } = scope;
  // A roll-up that counts removed requests would look complete once the same number of other requests has arrived.
  await scope.clear("http_totals_1h", "hour");
  for (const view of await client.query(views, {})) {
    const select = selectOf(view, scope.rowsAt);
    const names = view.columns.join(", ");
    const clock = ["minute", "hour"].find((name) => view.columns.includes(name)) ?? "";
    await scope.clear(view.target, clock);
    for (const part of parts) {
      // Rows that were removed must be inserted again, so deduplication is off.
      await client.command(
        `INSERT INTO ${view.target} (${names}) SELECT ${names} FROM (${select})
         SETTINGS insert_deduplicate = 0, max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000`,
        { ...params, ...part },
      );
    }
  }
}

/** The query of the view, over the rows that the condition selects. */
function selectOf({ name, select, database }: View, rowsAt: RecountScope["rowsAt"]): string {
  const source = sources.find(({ table }) => select.includes(`FROM ${database}.${table}`));
  if (source === undefined) throw new Error(`The view ${name} reads no table that can be recounted`);
  const rows = `(SELECT * FROM ${source.table} WHERE ${rowsAt(source.at)}) AS ${source.table}`;
  return select.replaceAll(`FROM ${database}.${source.table}`, `FROM ${rows}`);
}

/** Tables that views count, and their time column. */
const sources = [
  { table: "profiles", at: "started_at" },
  { table: "http_requests", at: "at" },
] as const;

function withinHours(at: string): string {
  return `(org_id, service, toUnixTimestamp(toStartOfHour(${at}))) IN
    arrayZip({orgIds:Array(UUID)}, {services:Array(String)}, {hours:Array(UInt32)})`;
}

const hasNoProfile = `profile_id NOT IN (
    SELECT profile_id FROM profiles
    WHERE type = 'metrics' AND (org_id, service) IN arrayZip({orgIds:Array(UUID)}, {services:Array(String)}))`;

const views = maintenanceQuery({
  name: "recount.views",
  sql: `SELECT name, database, as_select AS select,
          extract(create_table_query, ' TO (?:\\\\w+\\\\.)?(\\\\w+)') AS target,
          (SELECT groupArray(columns.name) FROM system.columns AS columns
            WHERE columns.database = currentDatabase() AND columns.table = tables.name) AS columns,
          (SELECT groupArray(columns.name) FROM system.columns AS columns
            WHERE columns.database = currentDatabase() AND columns.table = target AND columns.is_in_sorting_key = 1) AS keys,
          (SELECT groupArray(columns.name) FROM system.columns AS columns
            WHERE columns.database = currentDatabase() AND columns.table = target AND columns.is_in_sorting_key = 0
              AND match(columns.type, '^(SimpleAggregateFunction\\\\(sum, )?U?Int64')) AS counts
        FROM system.tables AS tables
        WHERE database = currentDatabase() AND engine = 'MaterializedView'
        ORDER BY name`,
  params: z.object({}),
  row: z.object({
    name: z.string(),
    database: z.string(),
    select: z.string(),
    target: z.string(),
    columns: z.array(z.string()),
    /** Columns of the target that name what is counted, and those that count it as an integer. */
    keys: z.array(z.string()),
    counts: z.array(z.string()),
  }),
});

type View = ReturnType<(typeof views)["row"]["parse"]>;

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

/** Requests are stored before the profile that represents them: see `recountHours`. */
async function removeUnanswered(client: ColumnClient, day: string): Promise<void> {
  const [{ count = 0 } = {}] = await client.query(unansweredRequests, { day });
  if (count === 0) return;
  await client.command(
    `DELETE FROM http_requests WHERE ${isUnanswered} SETTINGS lightweight_deletes_sync = 2`,
    { day },
  );
}

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
  /** The condition that selects rows, given their time column. */
  rowsAt(clock: string): string;
  /** Removes the rows of a roll-up, given its time column. */
  clear(table: string, clock: string): Promise<void>;
}

/** Recounts the roll-ups of a scope in which each HTTP request has its profile. */
async function recountScope(client: ColumnClient, scope: RecountScope): Promise<void> {
  // A roll-up that counts removed requests would look complete once the same number of other requests has arrived.
  await scope.clear("http_totals_1h", "hour");
  for (const view of await client.query(views, {})) {
    const source = sources.find(({ table }) => view.select.includes(`FROM ${view.database}.${table}`));
    if (source === undefined) throw new Error(`The view ${view.name} reads no table that can be recounted`);
    const rows = `(SELECT * FROM ${source.table} WHERE ${scope.rowsAt(source.at)}) AS ${source.table}`;
    const select = view.select.replaceAll(`FROM ${view.database}.${source.table}`, `FROM ${rows}`);
    const names = view.columns.join(", ");
    const clock = ["minute", "hour"].find((name) => view.columns.includes(name)) ?? "";
    await scope.clear(view.target, clock);
    // Rows that were removed must be inserted again, so deduplication is off.
    await client.command(
      `INSERT INTO ${view.target} (${names}) SELECT ${names} FROM (${select})
       SETTINGS insert_deduplicate = 0, max_partitions_per_insert_block = 0, max_bytes_before_external_group_by = 100000000`,
      scope.params,
    );
  }
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
            WHERE columns.database = currentDatabase() AND columns.table = tables.name) AS columns
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
  }),
});

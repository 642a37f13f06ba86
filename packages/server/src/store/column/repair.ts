import { z } from "zod";
import type { ColumnClient } from "./client.ts";
import { question } from "./question.ts";

/**
 * What a kill or a power cut can leave behind, put right before anybody reads.
 *
 * A view's roll-up is written after the rows it counts, so a kill in between leaves rows uncounted; and a batch of HTTP
 * metrics is stored before the profile that stands for it, so a sender that was never answered would store its requests
 * twice. Rows, never roll-ups, are what is true: requests without their profile go, and the hours that the last
 * uploads belong to are counted anew. Doing it twice changes nothing, so a kill in the middle of it is no harm either.
 */
export async function repair(client: ColumnClient): Promise<number> {
  const hours = await client.ask(touchedHours, {});
  if (hours.length === 0) return 0;
  const touched = {
    orgIds: hours.map(({ orgId }) => orgId),
    services: hours.map(({ service }) => service),
    hours: hours.map(({ hourSeconds }) => hourSeconds),
  };
  await client.command(`DELETE FROM http_requests WHERE ${orphans} SETTINGS lightweight_deletes_sync = 2`);
  // Hours that were rolled up with requests that have gone would be believed when as many others come.
  await client.command(
    `DELETE FROM http_totals_1h WHERE ${withinHours("hour")} SETTINGS lightweight_deletes_sync = 2`,
    touched,
  );
  for (const view of await client.ask(views, {})) {
    const source = sources.find(({ table }) => view.select.includes(`FROM ${view.database}.${table}`));
    if (source === undefined)
      throw new Error(`The view ${view.name} reads no table that can be counted anew`);
    const rows = `(SELECT * FROM ${source.table} WHERE ${withinHours(source.at)}) AS ${source.table}`;
    const select = view.select.replaceAll(`FROM ${view.database}.${source.table}`, `FROM ${rows}`);
    const names = view.columns.join(", ");
    const clock = ["minute", "hour"].find((name) => view.columns.includes(name)) ?? "";
    await client.command(
      `DELETE FROM ${view.target} WHERE ${withinHours(clock)} SETTINGS lightweight_deletes_sync = 2`,
      touched,
    );
    // The same rows may have been written before, and removed: they are no repetition.
    await client.command(
      `INSERT INTO ${view.target} (${names}) SELECT ${names} FROM (${select})
       SETTINGS insert_deduplicate = 0, max_partitions_per_insert_block = 0`,
      touched,
    );
  }
  return hours.length;
}

/** Tables that views count, and the time by which they do. */
const sources = [
  { table: "profiles", at: "started_at" },
  { table: "http_requests", at: "at" },
] as const;

function withinHours(at: string): string {
  return `(org_id, service, toUnixTimestamp(toStartOfHour(${at}))) IN
    arrayZip({orgIds:Array(UUID)}, {services:Array(String)}, {hours:Array(UInt32)})`;
}

/** A commit takes well under this; what was in flight at the end arrived within it. */
const inFlight = "(SELECT max(received_at) FROM profiles) - INTERVAL 2 MINUTE";

/** Requests may be older than their upload; two days bound what is looked at. */
const orphans = `at >= (SELECT max(received_at) FROM profiles) - INTERVAL 2 DAY
  AND profile_id NOT IN (SELECT profile_id FROM profiles WHERE type = 'metrics')`;

const touchedHours = question({
  name: "repair.touched-hours",
  sql: `SELECT DISTINCT org_id AS orgId, service, toUnixTimestamp(toStartOfHour(started_at)) AS hourSeconds
        FROM profiles WHERE received_at >= ${inFlight}
        UNION DISTINCT
        SELECT DISTINCT org_id AS orgId, service, toUnixTimestamp(toStartOfHour(at)) AS hourSeconds
        FROM http_requests
        WHERE profile_id IN (SELECT profile_id FROM profiles WHERE type = 'metrics' AND received_at >= ${inFlight})
          OR (${orphans})`,
  params: z.object({}),
  row: z.object({ orgId: z.uuid(), service: z.string(), hourSeconds: z.int() }),
});

const views = question({
  name: "repair.views",
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

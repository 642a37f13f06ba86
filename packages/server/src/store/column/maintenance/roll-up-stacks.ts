import { randomInt } from "node:crypto";
import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

const HOUR_SECONDS = 3600;
const HOURS_PER_RUN_MAX = 500;

const Series = z.object({ orgId: z.uuid(), service: z.string(), type: z.string(), hourSeconds: Count });

/** Hours whose roll-up is missing, or was made when the hour had fewer profiles. */
const staleHours = maintenanceQuery({
  name: "roll-up.stale-hours",
  sql: `SELECT counted.org_id AS orgId, counted.service AS service, counted.type AS type,
          toUnixTimestamp(counted.hour) AS hourSeconds, counted.profiles AS profiles, rolled.latest AS latest
        FROM (
          SELECT org_id, service, type, toStartOfHour(minute) AS hour, sum(profiles) AS profiles
          FROM type_totals_1m
          WHERE sample_type = '' AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
          GROUP BY org_id, service, type, hour
        ) AS counted
        LEFT JOIN (
          SELECT org_id, service, type, hour, argMax(profiles, version) AS profiles, max(version) AS latest
          FROM rolled_hours WHERE hour >= {from:DateTime('UTC')} AND hour < {to:DateTime('UTC')}
          GROUP BY org_id, service, type, hour
        ) AS rolled USING (org_id, service, type, hour)
        WHERE counted.profiles != rolled.profiles
        ORDER BY hourSeconds DESC
        LIMIT {limit:UInt32}`,
  params: z.object({ from: z.date(), to: z.date(), limit: z.int() }),
  row: Series.extend({ profiles: Count, latest: Count }),
});

/**
 * Brings the hourly stack totals up to date for the hours in [from, until), newest first, at most 500 of them, until
 * it is to stop. Returns how many it wrote. The count of profiles was read before they are summed: one that arrives
 * in between makes the counts differ, so that the hour is not believed and is rolled up again.
 */
export async function rollUpStacks(
  client: ColumnClient,
  range: { readonly from: Date; readonly untilSeconds: number; readonly now: Date },
  shouldStop: () => boolean,
): Promise<number> {
  const asked = { from: toHour(range.from), to: new Date(range.untilSeconds * 1000) };
  const stale = await client.query(staleHours, { ...asked, limit: HOURS_PER_RUN_MAX });
  let written = 0;
  for (const { profiles, latest, ...series } of stale) {
    if (shouldStop()) break;
    const version = Math.max(range.now.getTime(), versionAfter(latest));
    const params = { ...series, hour: new Date(series.hourSeconds * 1000), version };
    await client.command(sumStacks, params);
    await client.command(noteHour, { ...params, profiles });
    written++;
  }
  return written;
}

/**
 * Above a version that a clock which was ahead has made. Not simply the next number: an interrupted attempt leaves sums
 * under a version that `rolled_hours` does not name, and nothing else may be added to them.
 */
function versionAfter(latest: number): number {
  return latest + randomInt(1, 2 ** 32);
}

const sumStacks = `INSERT INTO stack_totals_1h (org_id, service, type, sample_type, hour, stack_id, value, version)
SELECT {orgId:UUID}, {service:String}, {type:String}, sample_type, {hour:DateTime('UTC')}, stack_id, sum(value),
  {version:UInt64}
FROM (
  SELECT sample_type, stacks, type_values FROM profiles
  ARRAY JOIN sample_types AS sample_type, values AS type_values
  WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
    AND started_at >= {hour:DateTime('UTC')} AND started_at < {hour:DateTime('UTC')} + INTERVAL 1 HOUR
)
ARRAY JOIN stacks AS stack_id, type_values AS value
GROUP BY sample_type, stack_id
SETTINGS max_threads = 1, max_block_size = 256, max_bytes_before_external_group_by = 100000000`;

const noteHour = `INSERT INTO rolled_hours (org_id, service, type, hour, version, profiles)
SELECT {orgId:UUID}, {service:String}, {type:String}, {hour:DateTime('UTC')}, {version:UInt64}, {profiles:UInt64}`;

function toHour(time: Date): Date {
  const milliseconds = HOUR_SECONDS * 1000;
  return new Date(Math.floor(time.getTime() / milliseconds) * milliseconds);
}

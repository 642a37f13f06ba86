import { randomInt } from "node:crypto";
import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import { Count } from "#store/column/values.ts";

const hoursPerRunMax = 500;

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
 * `shouldStop`. Returns the number of written hours. Profiles are counted before they are summed: if one arrives in
 * between, the counts differ, so that readers do not use the roll-up of this hour and the next run renews it.
 */
export async function rollUpStacks(
  client: ColumnClient,
  range: { readonly from: Date; readonly untilSeconds: number; readonly now: Date },
  shouldStop: () => boolean,
): Promise<number> {
  const from = new Date(hourOf(range.from.getTime() / 1000) * 1000);
  const to = new Date(range.untilSeconds * 1000);
  const stale = await client.query(staleHours, { from, to, limit: hoursPerRunMax });
  let written = 0;
  for (const { profiles, latest, ...series } of stale) {
    if (shouldStop()) break;
    const version = Math.max(range.now.getTime(), versionAfter(latest));
    const params = { ...series, hour: new Date(series.hourSeconds * 1000), version };
    await client.command(sumStacks, params);
    await client.command(recordHour, { ...params, profiles });
    written++;
  }
  return written;
}

/**
 * Above a version that was written while the clock was ahead. Not simply the next number: an interrupted attempt leaves
 * sums under a version that `rolled_hours` does not name, and nothing else may be added to them.
 */
export function versionAfter(latest: number): number {
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

const recordHour = `INSERT INTO rolled_hours (org_id, service, type, hour, version, profiles)
SELECT {orgId:UUID}, {service:String}, {type:String}, {hour:DateTime('UTC')}, {version:UInt64}, {profiles:UInt64}`;

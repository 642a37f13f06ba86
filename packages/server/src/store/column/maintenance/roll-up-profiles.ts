import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { daySeconds, hourSeconds } from "#store/column/utc.ts";
import { Count, Day } from "#store/column/values.ts";

const DayCount = z.object({ day: Day, profiles: Count });

/** ClickHouse answers it from the metadata of the parts, without reading rows. */
const storedDays = maintenanceQuery({
  name: "roll-up.stored-days",
  sql: "SELECT toDate(started_at) AS day, count() AS profiles FROM profiles GROUP BY day ORDER BY day DESC",
  params: z.object({}),
  row: DayCount,
});

const rolledDays = maintenanceQuery({
  name: "roll-up.rolled-days",
  sql: "SELECT toDate(hour) AS day, sum(profiles) AS profiles FROM profile_totals_1h GROUP BY day",
  params: z.object({}),
  row: DayCount,
});

/** Hours of a day whose roll-up differs from the stored profiles; `rolled` is the number of profiles it counts. */
const staleHours = maintenanceQuery({
  name: "roll-up.stale-profile-hours",
  sql: `SELECT toUnixTimestamp(hour) AS hourSeconds, sum(summed) AS rolled
        FROM (
          SELECT toStartOfHour(started_at) AS hour, count() AS stored, 0 AS summed
          FROM profiles WHERE toDate(started_at) = {day:Date} GROUP BY hour
          UNION ALL
          SELECT hour, 0 AS stored, sum(profiles) AS summed
          FROM profile_totals_1h WHERE toDate(hour) = {day:Date} GROUP BY hour
        )
        WHERE hour < toDateTime({untilSeconds:UInt32}, 'UTC')
        GROUP BY hour
        HAVING sum(stored) != rolled`,
  params: z.object({ day: Day, untilSeconds: z.int() }),
  row: z.object({ hourSeconds: z.int(), rolled: Count }),
});

/**
 * Brings profile_totals_1h up to date for the hours before `untilSeconds`, newest day first, until `shouldStop`;
 * returns the number of written hours. The rows of an hour count the profiles they sum: if a profile arrives meanwhile,
 * the counts differ, so that readers do not use the roll-up of this hour and the next run renews it.
 */
export async function rollUpProfiles(
  client: ColumnClient,
  untilSeconds: number,
  shouldStop: () => boolean,
): Promise<number> {
  const rolled = new Map((await client.query(rolledDays, {})).map(({ day, profiles }) => [day, profiles]));
  let written = 0;
  for (const { day, profiles } of await client.query(storedDays, {})) {
    if (shouldStop()) break;
    const startSeconds = Date.parse(day) / 1000;
    const isOver = startSeconds + daySeconds <= untilSeconds;
    if (startSeconds >= untilSeconds || (isOver && rolled.get(day) === profiles)) continue;
    written += await rollUpDay(client, day, Math.min(untilSeconds, startSeconds + daySeconds));
  }
  return written;
}

async function rollUpDay(client: ColumnClient, day: string, untilSeconds: number): Promise<number> {
  const stale = await client.query(staleHours, { day, untilSeconds });
  if (stale.length === 0) return 0;
  const hours = stale.map((hour) => hour.hourSeconds);
  const outdated = stale.filter((hour) => hour.rolled > 0).map((hour) => hour.hourSeconds);
  if (outdated.length > 0) await client.command(removeHours, { day, hours: outdated });
  await client.command(sumHours, { day, hours });
  return hours.length;
}

const removeHours = `DELETE FROM profile_totals_1h
WHERE toDate(hour) = {day:Date} AND toUnixTimestamp(hour) IN {hours:Array(UInt32)}
SETTINGS lightweight_deletes_sync = 2`;

/** The columns of profile_totals_1h that `figures` computes, in its order. */
const figureNames = `profiles, earliest, latest, samples, duration_ms, amount, weight, peak, allocated,
  allocations, peak_allocated, bins, bin_profiles`;

/** Columns that `figures` needs of each profile, in addition to `service`, `type` and `started_at`. */
const profileFigures = `duration_ns / 1e6 AS profile_ms,
  if(has(sample_types, 'samples/count'), deltas_totals[indexOf(sample_types, 'samples/count')],
    toInt64(sample_count)) AS sampled,
  multiIf(type = 'cpu', 100. * deltas_totals[indexOf(sample_types, 'cpu/nanoseconds')],
    type = 'memory', toFloat64(deltas_totals[indexOf(sample_types, 'inuse_space/bytes')]), 0.) AS figure,
  multiIf(type = 'cpu' AND has(sample_types, 'cpu/nanoseconds'), toFloat64(duration_ns),
    type = 'memory' AND has(sample_types, 'inuse_space/bytes'), 1., 0.) AS share,
  if(type = 'memory', greatest(0., toFloat64(deltas_totals[indexOf(sample_types, 'alloc_space/bytes')])), 0.) AS allocation,
  if(type = 'cpu', if(share > 0, figure / share, 0.), allocation) AS spread,
  if(spread > 0, toInt16(ceil(log(spread) / log(1.02))), toInt16(-32768)) AS bin,
  if(type = 'cpu', share > 0, allocation > 0) AS is_spread`;

const figures = `count() AS profiles, min(started_at) AS earliest, max(started_at) AS latest,
  sum(sampled) AS samples, sum(profile_ms) AS duration_ms,
  sumIf(figure, share > 0) AS amount, sum(share) AS weight, maxIf(figure / share, share > 0) AS peak,
  sum(allocation) AS allocated, countIf(allocation > 0) AS allocations, max(allocation) AS peak_allocated,
  sumMapIf([bin], [toUInt64(1)], is_spread) AS histogram, histogram.1 AS bins, histogram.2 AS bin_profiles`;

// Rows that were removed must be inserted again, so deduplication is off.
const sumHours = `INSERT INTO profile_totals_1h (org_id, service, type, hour, ${figureNames})
SELECT org_id, service, type, hour, ${figureNames}
FROM (
  SELECT org_id, service, type, hour, ${figures}
  FROM (
    SELECT org_id, service, type, started_at, toStartOfHour(started_at) AS hour, ${profileFigures}
    FROM profiles
    WHERE toDate(started_at) = {day:Date} AND toUnixTimestamp(toStartOfHour(started_at)) IN {hours:Array(UInt32)}
  )
  GROUP BY org_id, service, type, hour
)
SETTINGS max_threads = 1, insert_deduplicate = 0, max_bytes_before_external_group_by = 100000000`;

/** The end of the latest hour whose profiles should all have arrived. */
export function lastWholeHour(now: Date, graceSeconds: number): number {
  return Math.floor((now.getTime() / 1000 - graceSeconds) / hourSeconds) * hourSeconds;
}

import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import { Count } from "#store/column/values.ts";
import { versionAfter } from "./roll-up-stacks.ts";

const hoursPerRunMax = 500;
/** Sets of labels of an hour that is rolled up. Each is a row of each sample type; with more, reading the profiles costs no more. */
const setsMaxDefault = 10_000;

/** Hours with labels whose roll-up is missing, or was made when the hour had fewer profiles. */
const staleHours = maintenanceQuery({
  name: "roll-up.stale-label-hours",
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
          FROM rolled_label_hours WHERE hour >= {from:DateTime('UTC')} AND hour < {to:DateTime('UTC')}
          GROUP BY org_id, service, type, hour
        ) AS rolled USING (org_id, service, type, hour)
        WHERE counted.profiles != rolled.profiles
          AND (counted.org_id, counted.service, counted.type, counted.hour) IN (
            SELECT org_id, service, type, toStartOfHour(started_at)
            FROM profiles
            WHERE started_at >= {from:DateTime('UTC')} AND started_at < {to:DateTime('UTC')} AND label_sets.size0 > 0
            GROUP BY ALL)
        ORDER BY hourSeconds DESC
        LIMIT {limit:UInt32}`,
  params: z.object({ from: z.date(), to: z.date(), limit: z.int() }),
  row: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    hourSeconds: Count,
    profiles: Count,
    latest: Count,
  }),
});

/**
 * Brings the hourly totals of labels up to date, as `rollUpStacks` does for stacks. An hour with too many sets of labels gets no rows:
 * readers sum its profiles.
 */
export async function rollUpLabels(
  client: ColumnClient,
  range: { readonly from: Date; readonly untilSeconds: number; readonly now: Date },
  shouldStop: () => boolean,
  setsMax = setsMaxDefault,
): Promise<number> {
  const from = new Date(hourOf(range.from.getTime() / 1000) * 1000);
  const to = new Date(range.untilSeconds * 1000);
  const stale = await client.query(staleHours, { from, to, limit: hoursPerRunMax });
  let written = 0;
  for (const { profiles, latest, ...series } of stale) {
    if (shouldStop()) break;
    const version = Math.max(range.now.getTime(), versionAfter(latest));
    const params = { ...series, hour: new Date(series.hourSeconds * 1000), version, setsMax };
    await client.command(sumLabels, params);
    await client.command(recordHour, { ...params, profiles });
    written++;
  }
  return written;
}

/** The sets of a profile by number: 0 has no labels. Keys of a set are sorted, so that equal sets have equal ids. */
const setIds = `arrayPushFront(arrayMap(label_set -> sipHash64(mapKeys(label_set), mapValues(label_set)), label_sets), toUInt64(0))`;

const ofHour = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
    AND started_at >= {hour:DateTime('UTC')} AND started_at < {hour:DateTime('UTC')} + INTERVAL 1 HOUR`;

// The set of a sample is looked up after ARRAY JOIN: see `labelledStackTotals`.
const sumLabels = `INSERT INTO label_totals_1h (org_id, service, type, sample_type, hour, labels_recorded, set_id, label_set,
  stacks, values, minutes, minute_totals, minute_profiles, minute_durations, version)
SELECT {orgId:UUID}, {service:String}, {type:String}, sample_type, {hour:DateTime('UTC')}, labels_recorded, set_id,
  anyIf(of_minute.1, NOT is_stack),
  groupArrayIf(stack_id, is_stack), groupArrayIf(total, is_stack),
  groupArrayIf(of_minute.2, NOT is_stack), groupArrayIf(total, NOT is_stack),
  groupArrayIf(of_minute.3, NOT is_stack), groupArrayIf(of_minute.4, NOT is_stack), {version:UInt64}
FROM (
  SELECT true AS is_stack, sample_type, labels_recorded, ids[number + 1] AS set_id, stack_id, sum(value) AS total,
    (CAST(map(), 'Map(LowCardinality(String), String)'), toUInt8(0), toUInt64(0), toUInt64(0)) AS of_minute
  FROM (
    SELECT sample_type, labels_recorded, stacks, type_values, ids, arrayResize(sample_sets, length(stacks)) AS numbers
    FROM (SELECT *, ${setIds} AS ids FROM profiles WHERE ${ofHour})
    ARRAY JOIN sample_types AS sample_type, values AS type_values
  )
  ARRAY JOIN stacks AS stack_id, type_values AS value, numbers AS number
  GROUP BY sample_type, labels_recorded, set_id, stack_id
  UNION ALL
  SELECT false AS is_stack, sample_type, labels_recorded, set_id, toUInt64(0) AS stack_id, sum(part) AS total,
    (any(label_set), minute, count(), sum(duration_ns)) AS of_minute
  FROM (
    SELECT sample_type, labels_recorded, duration_ns, toMinute(started_at) AS minute, ids,
      arrayPushFront(label_sets, CAST(map(), 'Map(LowCardinality(String), String)')) AS sets,
      arrayPushFront(arrayResize(of_sets, length(label_sets)), whole - arraySum(of_sets)) AS parts
    FROM (SELECT *, ${setIds} AS ids FROM profiles WHERE ${ofHour})
    ARRAY JOIN sample_types AS sample_type, deltas_totals AS whole,
      arrayResize(label_totals, length(sample_types)) AS of_sets
  )
  ARRAY JOIN ids AS set_id, sets AS label_set, parts AS part
  GROUP BY sample_type, labels_recorded, set_id, minute
)
WHERE (SELECT uniqExact(id) FROM (SELECT ${setIds} AS ids FROM profiles WHERE ${ofHour}) ARRAY JOIN ids AS id) <= {setsMax:UInt32}
GROUP BY sample_type, labels_recorded, set_id
SETTINGS max_threads = 1, max_block_size = 256, max_bytes_before_external_group_by = 100000000`;

const recordHour = `INSERT INTO rolled_label_hours (org_id, service, type, hour, version, profiles, has_rows)
SELECT {orgId:UUID}, {service:String}, {type:String}, {hour:DateTime('UTC')}, {version:UInt64}, {profiles:UInt64},
  (SELECT count() > 0 FROM label_totals_1h
   WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String} AND hour = {hour:DateTime('UTC')}
     AND version = {version:UInt64})`;

import { z } from "zod";
import type { ColumnClient } from "#store/column/client/client.ts";
import { maintenanceQuery } from "#store/column/query.ts";
import { QueryTooExpensive } from "#store/unavailable.ts";
import {
  hourLimits,
  noteRolled,
  ofChunk,
  paramsOf,
  type RollUpChunk,
  wideSettings,
} from "./roll-up-chunks.ts";

/** Sets of labels of an hour that is rolled up. Each is a row of each sample type; with more, reading the profiles costs no more. */
const setsMaxDefault = 10_000;

/**
 * Writes the hourly totals of the labels of a chunk, as `rollUpStacks` does for stacks. A series with too many sets of labels gets no
 * rows: readers sum its profiles.
 */
export async function rollUpLabels(
  client: ColumnClient,
  chunk: RollUpChunk,
  version: number,
  setsMax = setsMaxDefault,
): Promise<void> {
  const rows = await client.query(seriesWithFewSets, { ...paramsOf(chunk), setsMax });
  const few = new Set(rows.map(keyOf));
  const summed = chunk.series.filter((series) => few.has(keyOf(series)));
  const isSummed = summed.length === 0 || (await sumSeries(client, { ...chunk, series: summed }, version));
  await noteRolled(client, chunk, version, (series) => isSummed && few.has(keyOf(series)));
}

function keyOf({ orgId, service, type }: z.output<typeof Series>): string {
  return JSON.stringify([orgId, service, type]);
}

/** False for a single series that takes too much: it is noted without rows. */
async function sumSeries(client: ColumnClient, chunk: RollUpChunk, version: number): Promise<boolean> {
  try {
    await client.command(sumLabels, { ...paramsOf(chunk), version });
    return true;
  } catch (error) {
    if (error instanceof QueryTooExpensive && chunk.series.length === 1) return false;
    throw error;
  }
}

/** The sets of a profile by number: 0 has no labels. Keys of a set are sorted, so that equal sets have equal ids. */
const setIds = `arrayPushFront(arrayMap(label_set -> sipHash64(mapKeys(label_set), mapValues(label_set)), label_sets), toUInt64(0))`;

const Series = z.object({ orgId: z.uuid(), service: z.string(), type: z.string() });

const seriesWithFewSets = maintenanceQuery({
  name: "roll-up.series-with-few-sets",
  hasWideRows: true,
  sql: `SELECT org_id AS orgId, service, type
        FROM (SELECT org_id, service, type, ${setIds} AS ids FROM profiles WHERE ${hourLimits} AND ${ofChunk})
        ARRAY JOIN ids AS id
        GROUP BY orgId, service, type
        HAVING uniqExact(id) <= {setsMax:UInt32}`,
  params: z.object({
    hour: z.date(),
    orgIds: z.array(z.uuid()),
    services: z.array(z.string()),
    types: z.array(z.string()),
    setsMax: z.int(),
  }),
  row: Series,
});

const seriesHash = "sipHash64(org_id, service, type)";
const profilesOfChunk = `(SELECT *, ${seriesHash} AS series, ${setIds} AS ids FROM profiles WHERE ${hourLimits} AND ${ofChunk})`;

// The set of a sample is looked up after ARRAY JOIN: see `labelledStackTotals`.
const sumLabels = `INSERT INTO label_totals_1h (org_id, service, type, sample_type, hour, labels_recorded, set_id, label_set,
  stacks, values, minutes, minute_totals, minute_profiles, minute_durations, version)
SELECT org_id, service, type, sample_type, {hour:DateTime('UTC')}, labels_recorded, set_id, label_set,
  stack_ids, stack_totals, minutes, minute_totals, minute_profiles, minute_durations, {version:UInt64}
FROM (
  SELECT series, sample_type, labels_recorded, set_id,
    anyIf(of_minute.1, NOT is_stack) AS label_set,
    groupArrayIf(stack_id, is_stack) AS stack_ids, groupArrayIf(total, is_stack) AS stack_totals,
    groupArrayIf(of_minute.2, NOT is_stack) AS minutes, groupArrayIf(total, NOT is_stack) AS minute_totals,
    groupArrayIf(of_minute.3, NOT is_stack) AS minute_profiles, groupArrayIf(of_minute.4, NOT is_stack) AS minute_durations
  FROM (
    SELECT true AS is_stack, series, sample_type, labels_recorded, ids[number + 1] AS set_id, stack_id, sum(value) AS total,
      (CAST(map(), 'Map(LowCardinality(String), String)'), toUInt8(0), toUInt64(0), toUInt64(0)) AS of_minute
    FROM (
      SELECT series, sample_type, labels_recorded, stacks, type_values, ids, arrayResize(sample_sets, length(stacks)) AS numbers
      FROM ${profilesOfChunk}
      ARRAY JOIN sample_types AS sample_type, values AS type_values
    )
    ARRAY JOIN stacks AS stack_id, type_values AS value, numbers AS number
    GROUP BY series, sample_type, labels_recorded, set_id, stack_id
    UNION ALL
    SELECT false AS is_stack, series, sample_type, labels_recorded, set_id, toUInt64(0) AS stack_id, sum(part) AS total,
      (any(label_set), minute, count(), sum(duration_ns)) AS of_minute
    FROM (
      SELECT series, sample_type, labels_recorded, duration_ns, toMinute(started_at) AS minute, ids,
        arrayPushFront(label_sets, CAST(map(), 'Map(LowCardinality(String), String)')) AS sets,
        arrayPushFront(arrayResize(of_sets, length(label_sets)), whole - arraySum(of_sets)) AS parts
      FROM ${profilesOfChunk}
      ARRAY JOIN sample_types AS sample_type, deltas_totals AS whole,
        arrayResize(label_totals, length(sample_types)) AS of_sets
    )
    ARRAY JOIN ids AS set_id, sets AS label_set, parts AS part
    GROUP BY series, sample_type, labels_recorded, set_id, minute
  )
  GROUP BY series, sample_type, labels_recorded, set_id
) AS sums
INNER JOIN (
  SELECT DISTINCT org_id, service, type, ${seriesHash} AS series FROM profiles WHERE ${hourLimits} AND ${ofChunk}
) AS names USING (series)
${wideSettings}`;

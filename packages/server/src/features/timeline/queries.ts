import { z } from "zod";
import { LabelHours, notOfLabelHours, ofLabelHours } from "#stacks/ranges/label-hours.ts";
import { setMatches } from "#stacks/ranges/label-queries.ts";
import { query } from "#store/column/query.ts";
import { Count, MinuteRange } from "#store/column/values.ts";

const Range = MinuteRange.extend({ bucketSeconds: z.int() });

const Figures = z.array(z.number());

/**
 * A row per type and sample type: arrays in parallel, one entry per bucket that has profiles, in no order. Lists of
 * names are compared one column at a time: comparing pairs takes twice as long in the index of every day.
 */
export const usageByBucket = query({
  name: "timeline.usage",
  isCacheable: true,
  sql: `SELECT type, sample_type AS sampleType, groupArray(start) AS starts, groupArray(total) AS totals,
          groupArray(counted) AS profiles, groupArray(lasted) AS durationsNs
        FROM (
          SELECT type, sample_type, intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(profiles)) AS counted, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type IN {types:Array(String)}
            AND sample_type IN {sampleTypes:Array(String)}
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY type, sample_type, start
        )
        GROUP BY type, sampleType`,
  params: Range.extend({ types: z.array(z.string()), sampleTypes: z.array(z.string()) }),
  row: z.object({
    type: z.string(),
    sampleType: z.string(),
    starts: Figures,
    totals: Figures,
    profiles: Figures,
    durationsNs: Figures,
  }),
});

/** Custom profiles are gauges or counters, and nothing says which: the mean is correct for both. */
export const customByBucket = query({
  name: "timeline.custom",
  isCacheable: true,
  sql: `SELECT sample_type AS sampleType, groupArray(start) AS starts, groupArray(mean) AS means
        FROM (
          SELECT sample_type, intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32}) AS start,
            sum(value) / sum(profiles) AS mean
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = 'custom' AND sample_type != ''
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY sample_type, start
        )
        GROUP BY sampleType
        ORDER BY sampleType`,
  params: Range,
  row: z.object({ sampleType: z.string(), starts: z.array(z.number()), means: z.array(z.number()) }),
});

export const sampleTypesOfRange = query({
  name: "series.sample-types",
  sql: `SELECT type, sample_type AS sampleType, sum(profiles) AS profileCount, toFloat64(sum(value)) AS whole
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type IN {types:Array(String)}
          AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          AND sample_type != ''
        GROUP BY type, sampleType`,
  params: MinuteRange.extend({ types: z.array(z.string()) }),
  row: z.object({ type: z.string(), sampleType: z.string(), profileCount: Count, whole: z.number() }),
});

const Numbers = z.array(z.number());

/** The profiles of a service and type in a range that have the sample type and the tags. Empty tag lists select all. */
const SampleTypeRange = MinuteRange.extend({
  type: z.string(),
  sampleType: z.string(),
  bucketSeconds: z.int(),
  tagNames: z.array(z.string()),
  tagValues: z.array(z.string()),
});
const selectsProfile = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
  AND started_at >= toDateTime64({fromSeconds:UInt32}, 3, 'UTC') AND started_at < toDateTime64({toSeconds:UInt32}, 3, 'UTC')
  AND has(sample_types, {sampleType:String})
  AND arrayAll((name, text) -> tags[name] = text, {tagNames:Array(String)}, {tagValues:Array(String)})`;

/**
 * As `linesByTag`, by the values of a label of samples, or of all samples with the labels. Samples without the label have the
 * value "", folded values are with the others. Profiles whose labels were not recorded do not count. Buckets are whole minutes.
 */
export const linesByLabel = query({
  name: "series.lines-by-label",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT least(place, {linesMax:UInt32} + 1) AS rank, any(value) AS labelValue, count() AS groups,
          sumMap(bucketStarts, parts) AS sums, sums.1 AS starts, arrayMap(sum -> toFloat64(sum), sums.2) AS totals
        FROM (
          SELECT value, bucketStarts, parts,
            if(is_folded, {linesMax:UInt32} + 1, row_number() OVER (ORDER BY is_folded, whole DESC, value)) AS place
          FROM (
            SELECT value, is_folded, sum(total) AS whole, groupArray(start) AS bucketStarts, groupArray(total) AS parts
            FROM (
              SELECT line.1 AS value, line.2 AS is_folded, start, sum(line.3) AS total
              FROM (
                SELECT start, line
                FROM (
                  SELECT toUInt32(intDiv(toUnixTimestamp(started_at), {bucketSeconds:UInt32})) AS start,
                    arrayResize(label_totals, length(sample_types))[indexOf(sample_types, {sampleType:String})] AS of_sets,
                    arrayMap(label_set -> ${setMatches}, label_sets) AS matches,
                    arrayConcat(
                      arrayFilter(line -> line.3 != 0 AND arrayAll(text -> text = '', {labelValues:Array(String)}),
                        [('', false, deltas_totals[indexOf(sample_types, {sampleType:String})] - arraySum(of_sets))]),
                      arrayMap((label_set, of_set) -> (label_set[{groupBy:String}],
                          mapContains(label_set, {groupBy:String}) AND label_set[{groupBy:String}] = '', of_set),
                        arrayFilter((label_set, matched) -> matched, label_sets, matches),
                        arrayFilter((of_set, matched) -> matched, of_sets, matches))) AS lines
                  FROM profiles
                  PREWHERE ${notOfLabelHours}
                  WHERE ${selectsProfile} AND labels_recorded = 1
                )
                ARRAY JOIN lines AS line
                UNION ALL
                SELECT toUInt32(intDiv(toUnixTimestamp(hour) + 60 * minute, {bucketSeconds:UInt32})) AS start,
                  (label_set[{groupBy:String}],
                    mapContains(label_set, {groupBy:String}) AND label_set[{groupBy:String}] = '', total) AS line
                FROM label_totals_1h
                ARRAY JOIN minutes AS minute, minute_totals AS total
                WHERE ${ofLabelHours}
                  AND labels_recorded = 1 AND sample_type = {sampleType:String} AND (set_id != 0 OR total != 0)
                  AND ${setMatches}
              )
              GROUP BY value, is_folded, start
            )
            GROUP BY value, is_folded
          )
        )
        GROUP BY rank
        ORDER BY rank`,
  params: SampleTypeRange.extend({
    groupBy: z.string(),
    linesMax: z.int(),
    labelNames: z.array(z.string()),
    labelValues: z.array(z.string()),
    ...LabelHours.shape,
  }),
  row: z.object({
    rank: z.coerce.number(),
    labelValue: z.string(),
    groups: Count,
    starts: Numbers,
    totals: Numbers,
  }),
});

/** The profiles of each bucket whose labels were recorded, and their duration, as parallel arrays. */
export const recordedByBucket = query({
  name: "series.recorded-by-bucket",
  isCacheable: true,
  sql: `SELECT groupArray(start) AS starts, groupArray(toFloat64(counted)) AS profiles, groupArray(toFloat64(lasted)) AS durationsNs
        FROM (
          SELECT toUInt32(intDiv(toUnixTimestamp(started_at), {bucketSeconds:UInt32})) AS start, count() AS counted,
            sum(duration_ns) AS lasted
          FROM profiles
          WHERE ${selectsProfile} AND labels_recorded = 1
          GROUP BY start
        )`,
  params: SampleTypeRange,
  row: z.object({ starts: Numbers, profiles: Numbers, durationsNs: Numbers }),
});

/**
 * A row for each of the `linesMax` values of the tag with the largest sums, largest first, and one for all others together, which
 * has the rank after them. Without a tag (`groupBy` is empty) the value of all profiles is "". The arrays of a row are parallel,
 * with an entry per bucket that has profiles.
 */
export const linesByTag = query({
  name: "series.lines",
  sql: `SELECT least(place, {linesMax:UInt32} + 1) AS rank, any(value) AS tagValue, count() AS groups,
          sumMap(bucketStarts, parts, counts, durations) AS sums, sums.1 AS starts,
          arrayMap(sum -> toFloat64(sum), sums.2) AS totals, arrayMap(sum -> toFloat64(sum), sums.3) AS profiles,
          arrayMap(sum -> toFloat64(sum), sums.4) AS durationsNs
        FROM (
          SELECT value, bucketStarts, parts, counts, durations, row_number() OVER (ORDER BY whole DESC, value) AS place
          FROM (
            SELECT value, sum(total) AS whole, groupArray(start) AS bucketStarts, groupArray(total) AS parts,
              groupArray(counted) AS counts, groupArray(lasted) AS durations
            FROM (
              SELECT tags[{groupBy:String}] AS value, toUInt32(intDiv(toUnixTimestamp(started_at), {bucketSeconds:UInt32})) AS start,
                sum(deltas_totals[indexOf(sample_types, {sampleType:String})]) AS total, count() AS counted,
                sum(duration_ns) AS lasted
              FROM profiles
              WHERE ${selectsProfile}
              GROUP BY value, start
            )
            GROUP BY value
          )
        )
        GROUP BY rank
        ORDER BY rank`,
  params: SampleTypeRange.extend({ groupBy: z.string(), linesMax: z.int() }),
  row: z.object({
    rank: z.coerce.number(),
    tagValue: z.string(),
    groups: Count,
    starts: Numbers,
    totals: Numbers,
    profiles: Numbers,
    durationsNs: Numbers,
  }),
});

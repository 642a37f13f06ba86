import { StoredType } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { setsSql } from "#stacks/ranges/label-parts.ts";
import { query } from "#store/column/query.ts";
import { Count, Instant } from "#store/column/values.ts";

const Texts = z.array(z.string());

/** An empty service means all. */
const Range = z.object({ orgId: z.uuid(), service: z.string(), from: z.date(), to: z.date() });

/** The sample types of each service, from the totals of minutes. */
export const typesOfServices = query({
  name: "pyroscope.types",
  isCacheable: true,
  sql: `SELECT service, type, groupUniqArray(sample_type) AS sampleTypes
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND type != 'metrics' AND sample_type != ''
          AND ({service:String} = '' OR service = {service:String})
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
        GROUP BY service, type`,
  params: Range,
  row: z.object({ service: z.string(), type: StoredType, sampleTypes: Texts }),
});

/** A row for each service, type and set of tags. An empty type means all. */
export const seriesOfRange = query({
  name: "pyroscope.series",
  isCacheable: true,
  sql: `SELECT service, type, sample_types AS sampleTypes, mapKeys(tags) AS tagNames, mapValues(tags) AS tagValues,
          count() AS profiles
        FROM profiles
        WHERE org_id = {orgId:UUID} AND type != 'metrics'
          AND ({service:String} = '' OR service = {service:String})
          AND ({type:String} = '' OR type = {type:String})
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        GROUP BY service, type, sampleTypes, tagNames, tagValues
        LIMIT {rowsMax:UInt32}`,
  params: Range.extend({ type: z.string(), rowsMax: z.int() }),
  row: z.object({
    service: z.string(),
    type: StoredType,
    sampleTypes: Texts,
    tagNames: Texts,
    tagValues: Texts,
    profiles: Count,
  }),
});
export type SeriesRow = z.output<typeof seriesOfRange.row>;

/** Each tag has one of its values. */
const Selected = z.object({
  orgId: z.uuid(),
  services: Texts,
  type: z.string(),
  sampleType: z.string(),
  from: z.date(),
  to: z.date(),
  tagNames: Texts,
  tagValues: z.array(Texts),
  groupBy: Texts,
});
const selectsProfile = `org_id = {orgId:UUID} AND service IN {services:Array(String)} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND has(sample_types, {sampleType:String})
          AND arrayAll((name, texts) -> has(texts, tags[name]), {tagNames:Array(String)}, {tagValues:Array(Array(String))})`;
const value = "deltas_totals[indexOf(sample_types, {sampleType:String})]";

/**
 * Samples with one of the combinations of values; an empty text is for samples without the label. No names select every sample.
 * `groupTags` are the names to group by that are tags of profiles. All others are labels of samples.
 */
const SelectedSamples = Selected.extend({
  labelNames: Texts,
  labelChoices: z.array(Texts),
  groupTags: Texts,
});

/** The group of values that a limit removed. */
const furtherValues = "further values";

/** A row for each profile, with its total. */
const profileValues = `SELECT service, started_at AS at, ${value} AS value,
              arrayMap(name -> tags[name], {groupBy:Array(String)}) AS groupValues
            FROM profiles
            WHERE ${selectsProfile}`;

/** A row for each set of labels of a profile, with the total of its samples. */
const sampleParts = `SELECT service, profile_id, started_at AS at, part AS value,
              arrayMap(name -> multiIf(has({groupTags:Array(String)}, name), tags[name],
                mapContains(label_set, name) AND label_set[name] = '', '${furtherValues}', label_set[name]),
                {groupBy:Array(String)}) AS groupValues
            FROM (
              SELECT service, profile_id, started_at, tags, ${setsSql} AS sets,
                arrayResize(label_totals[indexOf(sample_types, {sampleType:String})], length(label_sets)) AS of_sets,
                arrayPushFront(of_sets, ${value} - arraySum(of_sets)) AS parts
              FROM profiles
              WHERE ${selectsProfile}
                AND (labels_recorded = 1 OR empty({labelNames:Array(String)}))
            )
            ARRAY JOIN sets AS label_set, parts AS part
            WHERE part != 0
              AND has({labelChoices:Array(Array(String))}, arrayMap(name -> label_set[name], {labelNames:Array(String)}))
              AND NOT arrayExists(name -> mapContains(label_set, name) AND label_set[name] = '', {labelNames:Array(String)})`;

/** A row for each profile and group of its samples. */
const sampleValues = `SELECT service, min(at) AS at, sum(value) AS value, groupValues
            FROM (
              ${sampleParts}
            )
            GROUP BY service, profile_id, groupValues`;

const stepOf = `intDiv(toUnixTimestamp64Milli(at) - toUnixTimestamp64Milli({from:DateTime64(3, 'UTC')}), {stepMs:Int64})`;

/** The names that some profile has as a tag. */
export const tagsAmong = query({
  name: "pyroscope.tags-among",
  isCacheable: true,
  sql: `SELECT arrayFilter(name -> has(groupUniqArrayArray(mapKeys(tags)), name), {groupBy:Array(String)}) AS names
        FROM profiles
        WHERE ${selectsProfile}`,
  params: Selected,
  row: z.object({ names: Texts }),
});

/** Parallel lists, with an entry for each step that has profiles. */
const Points = z.object({
  service: z.string(),
  steps: z.array(z.number()),
  totals: z.array(z.number()),
  profiles: z.array(z.number()),
});

const pointsOf = (
  values: string,
) => `SELECT service, groupValues, groupArray(step) AS steps, groupArray(total) AS totals,
          groupArray(counted) AS profiles
        FROM (
          SELECT service, groupValues, toFloat64(${stepOf}) AS step, toFloat64(sum(value)) AS total,
            toFloat64(count()) AS counted
          FROM (
            ${values}
          )
          GROUP BY service, groupValues, step
        )
        GROUP BY service, groupValues`;
const GroupedPoints = Points.extend({ groupValues: Texts });
const Steps = { stepMs: z.int() };

/** Sums by service, values of tags and step since the start of the range. */
export const pointsOfProfiles = query({
  name: "pyroscope.points",
  isCacheable: true,
  sql: pointsOf(profileValues),
  params: Selected.extend(Steps),
  row: GroupedPoints,
});

/** As `pointsOfProfiles`, of the samples with the labels: `profiles` counts their sets, see `profilesOfSteps`. */
export const pointsOfSamples = query({
  name: "pyroscope.sample-points",
  isCacheable: true,
  hasWideRows: true,
  sql: pointsOf(sampleParts),
  params: SelectedSamples.extend(Steps),
  row: GroupedPoints,
});

/** As `pointsOfProfiles` of all profiles, where range and step are whole minutes. */
export const pointsOfMinutes = query({
  name: "pyroscope.minute-points",
  isCacheable: true,
  sql: `SELECT service, groupArray(step) AS steps, groupArray(total) AS totals, groupArray(counted) AS profiles
        FROM (
          SELECT service,
            toFloat64(intDiv(toUnixTimestamp(minute) - toUnixTimestamp({from:DateTime('UTC')}), {stepSeconds:Int64})) AS step,
            toFloat64(sum(value)) AS total, toFloat64(sum(profiles)) AS counted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)} AND type = {type:String}
            AND sample_type = {sampleType:String}
            AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
          GROUP BY service, step
        )
        GROUP BY service`,
  params: Selected.omit({ tagNames: true, tagValues: true, groupBy: true }).extend({ stepSeconds: z.int() }),
  row: Points,
});

/** The profiles of each step by the tags among the groups: means over samples are means over these, with the labels or without. */
export const profilesOfSteps = query({
  name: "pyroscope.step-profiles",
  isCacheable: true,
  hasWideRows: true,
  sql: pointsOf(`${profileValues}
              AND (labels_recorded = 1 OR empty({labelNames:Array(String)}))`),
  params: SelectedSamples.extend(Steps),
  row: GroupedPoints,
});

const boundsOf = (
  values: string,
) => `SELECT toFloat64(min(value)) AS smallest, toFloat64(max(value)) AS largest, count() AS profiles
        FROM (
            ${values}
        )`;
const Bounds = z.object({ smallest: z.number(), largest: z.number(), profiles: Count });

/** The smallest and the largest total of a profile. */
export const valueBounds = query({
  name: "pyroscope.value-bounds",
  isCacheable: true,
  sql: boundsOf(profileValues),
  params: Selected,
  row: Bounds,
});

/** As `valueBounds`, of the samples with the labels. */
export const sampleBounds = query({
  name: "pyroscope.sample-bounds",
  isCacheable: true,
  hasWideRows: true,
  sql: boundsOf(sampleValues),
  params: SelectedSamples,
  row: Bounds,
});

const countsOf = (
  values: string,
) => `SELECT service, groupValues, toFloat64(step) AS step, groupArray(part) AS parts, groupArray(counted) AS counts
        FROM (
          SELECT service, groupValues, ${stepOf} AS step,
            toInt32(least({partsMax:Float64} - 1, floor((toFloat64(value) - {smallest:Float64}) / {width:Float64}))) AS part,
            toInt32(count()) AS counted
          FROM (
            ${values}
          )
          GROUP BY service, groupValues, step, part
        )
        GROUP BY service, groupValues, step`;
const Cut = { ...Steps, smallest: z.number(), width: z.number(), partsMax: z.int() };
const Counts = z.object({
  service: z.string(),
  groupValues: Texts,
  step: z.number(),
  parts: z.array(z.int()),
  counts: z.array(z.int()),
});

/** How many profiles have a total in each part of the values, by values of tags and step. */
export const valueCounts = query({
  name: "pyroscope.value-counts",
  isCacheable: true,
  sql: countsOf(profileValues),
  params: Selected.extend(Cut),
  row: Counts,
});

/** As `valueCounts`, of the samples with the labels. */
export const sampleCounts = query({
  name: "pyroscope.sample-counts",
  isCacheable: true,
  hasWideRows: true,
  sql: countsOf(sampleValues),
  params: SelectedSamples.extend(Cut),
  row: Counts,
});

/** The labels of the samples of a service, with at most `valuesMax` values. An empty type means all. */
export const labelsOfSamples = query({
  name: "pyroscope.sample-labels",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT name, groupUniqArray({valuesMax:UInt32})(text) AS texts
        FROM (
          SELECT arrayJoin(label_sets) AS label_set
          FROM profiles
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type != 'metrics'
            AND ({type:String} = '' OR type = {type:String})
            AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        )
        ARRAY JOIN mapKeys(label_set) AS name, mapValues(label_set) AS text
        WHERE text != ''
        GROUP BY name
        LIMIT {namesMax:UInt32}`,
  params: Range.extend({ type: z.string(), namesMax: z.int(), valuesMax: z.int() }),
  row: z.object({ name: z.string(), texts: Texts }),
});

/** The latest profiles whose samples may have one of the labels. */
export const profilesWithLabels = query({
  name: "pyroscope.with-labels",
  hasWideRows: true,
  sql: `SELECT profile_id AS profileId, sample_types AS sampleTypes, original_bytes AS payloadBytes, service,
          started_at AS startedAt, arrayMap(name -> tags[name], {groupBy:Array(String)}) AS groupValues
        FROM profiles
        WHERE ${selectsProfile}
          AND (labels_recorded = 0 OR arrayExists(label_set -> hasAny(mapKeys(label_set), {labelNames:Array(String)}), label_sets))
        ORDER BY started_at DESC
        LIMIT {rowsMax:UInt32}`,
  params: Selected.extend({ labelNames: Texts, rowsMax: z.int() }),
  row: z.object({
    profileId: z.string(),
    sampleTypes: Texts,
    payloadBytes: Count,
    service: z.string(),
    startedAt: Instant,
    groupValues: Texts,
  }),
});
export type TracedRow = z.output<typeof profilesWithLabels.row>;

/** The first and the last minute with profiles, as Unix seconds. */
export const storedSpan = query({
  name: "pyroscope.stored-span",
  isCacheable: true,
  sql: `SELECT count() AS minutes, toUnixTimestamp(min(minute)) AS first, toUnixTimestamp(max(minute)) AS last
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND type != 'metrics'
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}`,
  params: Range.omit({ service: true }),
  row: z.object({ minutes: Count, first: z.int(), last: z.int() }),
});

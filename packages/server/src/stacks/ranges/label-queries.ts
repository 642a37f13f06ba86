import { z } from "zod";
import { bytesQuery, query } from "#store/column/query.ts";
import { Count, Int64 } from "#store/column/values.ts";
import { groupNumbers } from "./label-groups.ts";
import { LabelHours, notOfLabelHours, ofLabelHours } from "./label-hours.ts";
import { ofTaggedProfiles, TagRange, TypeTotals } from "./merge-queries.ts";

/**
 * Queries over labels of samples. The profile's row has its sets of labels, the set of each stack (`sample_sets`), and for each
 * sample type the sum of the values of each set (`label_totals`): see migration 0012. An empty value in a filter matches samples without the
 * label. The empty value in a set replaces values that a limit removed, and matches nothing.
 */
const LabelRange = TagRange.extend({
  labelNames: z.array(z.string()),
  labelValues: z.array(z.string()),
  ...LabelHours.shape,
});

/**
 * Whether the set `label_set` has the labels of a filter. The lambda captures constants alone: the engine makes a copy of whatever else it
 * captures, such as the set, for each element of its array.
 */
export const setMatches = `(arrayCount((name, text) -> text != '' AND text = {labelValues:Array(String)}[indexOf({labelNames:Array(String)}, name)],
                  arrayMap(name -> toString(name), mapKeys(label_set)), mapValues(label_set))
                = arrayCount(text -> text != '', {labelValues:Array(String)})
                AND NOT hasAny(mapKeys(label_set),
                  arrayFilter((name, text) -> text = '', {labelNames:Array(String)}, {labelValues:Array(String)})))`;

/** Whether samples without labels match the filter. */
const emptySetMatches = "arrayAll(text -> text = '', {labelValues:Array(String)})";

/** The last arguments of a `multiIf` for the group of the set `label_set`. */
const groupOfSet = `{groupBy:String} = '' OR NOT mapContains(label_set, {groupBy:String}), ${groupNumbers.none},
                  has({groups:Array(String)}, label_set[{groupBy:String}]),
                  toUInt16(${groupNumbers.first - 1} + indexOf({groups:Array(String)}, label_set[{groupBy:String}])), ${groupNumbers.folded}`;

/** As `rangeTotals`, over the samples with the labels. Profiles whose labels were not recorded are left out. */
export const labelledTotals = query({
  name: "labels.totals",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT sampleType, sum(part) AS total, count() AS profiles, sum(duration_ns) AS durationNs
        FROM (
          SELECT sampleType, duration_ns, place,
            arraySum(arrayMap((matched, of_set) -> matched * of_set, matches, of_sets))
              + if(${emptySetMatches}, whole - arraySum(of_sets), 0) AS part
          FROM (
            SELECT sample_types, deltas_totals, label_totals, duration_ns,
              arrayMap(label_set -> toInt64(${setMatches}), label_sets) AS matches
            FROM profiles
            PREWHERE ${notOfLabelHours}
            WHERE ${ofTaggedProfiles}
              AND labels_recorded = 1
          )
          ARRAY JOIN sample_types AS sampleType, deltas_totals AS whole, arrayEnumerate(sample_types) AS place,
            arrayResize(label_totals, length(sample_types)) AS of_sets
        )
        GROUP BY sampleType
        ORDER BY min(place)`,
  params: LabelRange,
  row: TypeTotals,
});

/** As `labelledTotals`, of the hours that are rolled up; in no order. */
export const rolledLabelledTotals = query({
  name: "labels.rolled-totals",
  isCacheable: true,
  sql: `SELECT sample_type AS sampleType, sumIf(arraySum(minute_totals), ${setMatches}) AS total,
          sumIf(arraySum(minute_profiles), set_id = 0) AS profiles,
          toInt64(sumIf(arraySum(minute_durations), set_id = 0)) AS durationNs
        FROM label_totals_1h
        WHERE ${ofLabelHours}
          AND labels_recorded = 1
        GROUP BY sampleType`,
  params: LabelRange,
  row: TypeTotals,
});

const GroupedRange = LabelRange.extend({
  sampleType: z.string(),
  additionalType: z.string(),
  groupBy: z.string(),
  groups: z.array(z.string()),
});

/**
 * As `taggedStackTotals`, over the samples with the labels: for each group its number (UInt64) and three arrays. Samples are
 * grouped by the value of a label, with the values in `groups`; without a label to group by, all are in group 0.
 *
 * The group of a sample is looked up after ARRAY JOIN, which makes its rows in pieces: within `arrayMap` the engine copies the groups of
 * all sets of a profile for each of its samples at once. The groups of a profile are two bytes each in one string, because ARRAY JOIN repeats
 * a string in a third of the time that an array takes.
 */
export const labelledStackTotals = bytesQuery({
  name: "labels.stack-totals",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT toUInt64(sample_group), groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT reinterpretAsUInt16(substring(set_groups, 2 * number + 1, 2)) AS sample_group, stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (
            SELECT stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
              arrayResize(values[indexOf(sample_types, {additionalType:String})], length(stacks)) AS additional_parts,
              arrayResize(sample_sets, length(stacks)) AS numbers,
              arrayStringConcat(arrayMap(number -> char(number % 256, intDiv(number, 256)), arrayPushFront(
                arrayMap(label_set -> multiIf(NOT ${setMatches}, ${groupNumbers.notMatching},
                  ${groupOfSet}), label_sets),
                multiIf(NOT if(labels_recorded = 1, ${emptySetMatches}, empty({labelNames:Array(String)})), ${groupNumbers.notMatching},
                  {groupBy:String} = '' OR labels_recorded = 1, ${groupNumbers.none}, ${groupNumbers.unrecorded})))) AS set_groups
            FROM profiles
            PREWHERE ${notOfLabelHours}
            WHERE ${ofTaggedProfiles}
              AND has(sample_types, {sampleType:String})
          )
          ARRAY JOIN stacks AS stack_id, parts AS part, additional_parts AS additional_part, numbers AS number
          WHERE sample_group != ${groupNumbers.notMatching}
          GROUP BY sample_group, stack_id
        )
        GROUP BY sample_group
        ORDER BY sample_group`,
  params: GroupedRange,
});

/** As `labelledStackTotals`, of the hours that are rolled up. */
export const rolledLabelledStackTotals = bytesQuery({
  name: "labels.rolled-stack-totals",
  isCacheable: true,
  sql: `SELECT toUInt64(sample_group), groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT sample_group, stack_id, sumIf(value, is_main) AS total, sumIf(value, NOT is_main) AS additional
          FROM (
            SELECT stacks, values, sample_type = {sampleType:String} AS is_main,
              multiIf({groupBy:String} != '' AND labels_recorded = 0, ${groupNumbers.unrecorded}, ${groupOfSet}) AS sample_group
            FROM label_totals_1h
            WHERE ${ofLabelHours}
              AND sample_type IN ({sampleType:String}, {additionalType:String})
              AND if(labels_recorded = 1, ${setMatches}, empty({labelNames:Array(String)}))
          )
          ARRAY JOIN stacks AS stack_id, values AS value
          GROUP BY sample_group, stack_id
        )
        GROUP BY sample_group
        ORDER BY sample_group`,
  params: GroupedRange,
});

const LabelValue = z.object({ key: z.string(), value: z.string(), total: Int64 });

/** The sum over the samples with each label. The value "" has what was folded. */
export const labelValues = query({
  name: "labels.values",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT key, value, sum(of_set) AS total
        FROM (
          SELECT label_set, of_set
          FROM profiles
          ARRAY JOIN label_sets AS label_set, label_totals[indexOf(sample_types, {sampleType:String})] AS of_set
          PREWHERE ${notOfLabelHours}
          WHERE ${ofTaggedProfiles}
            AND labels_recorded = 1 AND has(sample_types, {sampleType:String})
            AND ${setMatches}
        )
        ARRAY JOIN mapKeys(label_set) AS key, mapValues(label_set) AS value
        GROUP BY key, value`,
  params: LabelRange.extend({ sampleType: z.string() }),
  row: LabelValue,
});

/** As `labelValues`, of the hours that are rolled up. */
export const rolledLabelValues = query({
  name: "labels.rolled-values",
  isCacheable: true,
  sql: `SELECT key, value, sum(of_set) AS total
        FROM (
          SELECT label_set, arraySum(minute_totals) AS of_set
          FROM label_totals_1h
          WHERE ${ofLabelHours}
            AND labels_recorded = 1 AND set_id != 0 AND sample_type = {sampleType:String}
            AND ${setMatches}
        )
        ARRAY JOIN mapKeys(label_set) AS key, mapValues(label_set) AS value
        GROUP BY key, value`,
  params: LabelRange.extend({ sampleType: z.string() }),
  row: LabelValue,
});

/** The number of profiles of a range, and of those whose labels were not recorded. */
export const recordedProfiles = query({
  name: "labels.recorded-profiles",
  isCacheable: true,
  sql: `SELECT count() AS profiles, countIf(labels_recorded = 0) AS unrecorded
        FROM profiles
        WHERE ${ofTaggedProfiles}`,
  params: LabelRange.omit({ labelNames: true, labelValues: true, hours: true, versions: true }),
  row: z.object({ profiles: Count, unrecorded: Count }),
});

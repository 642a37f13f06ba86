import { z } from "zod";
import type { LabelFilter } from "#http/query/label-filter.ts";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, type ColumnReader } from "#store/column/query.ts";
import type { Part, PartReader } from "#store/column/read/part-cache.ts";
import {
  bytesOfStack,
  ofParts,
  PartParams,
  partStart,
  readTotals,
  type StackTotals,
} from "#store/column/read/stack-sums.ts";
import { SeriesRange } from "#store/column/values.ts";
import type { MergeRange, SummedRange } from "./requested-range.ts";

// Sums over the profiles of a part by their sets of labels: every filter and every group of a part comes from the same sums.

/** Values by key. The value "" replaces values that a limit removed, and matches nothing. */
export type LabelSet = Readonly<Record<string, string>>;

/** Replaces the sums of a part with more sets of labels than are worth caching. */
const tooManySets = "too many sets";
export type OrTooMany<T> = T | typeof tooManySets;

/** In the parts that one query reads. With more, reading the profiles takes less memory. */
const setsMaxDefault = 10_000;

/** The stacks of the samples with one set of labels. */
export interface StacksOfSet extends StackTotals {
  /** Undefined where labels were not recorded. */
  readonly labels: LabelSet | undefined;
}

/** The total of a sample type over the profiles whose labels were recorded, by set. */
export interface TypeTotalsBySet {
  readonly sampleType: string;
  readonly profiles: number;
  readonly durationNs: bigint;
  readonly sets: readonly { readonly labels: LabelSet; readonly total: bigint }[];
}

/** False if the parts have too many sets. */
export function areCountable<T>(parts: readonly OrTooMany<T>[]): parts is readonly T[] {
  return !parts.includes(tooManySets);
}

/** Whether a set has the labels of a filter. An empty text of the filter matches sets without the key. */
export function matchesFilter(labels: LabelSet, { labelNames, labelValues }: LabelFilter): boolean {
  return labelNames.every((name, index) => {
    const text = labelValues[index]!;
    return text === "" ? labels[name] === undefined : labels[name] === text;
  });
}

const noLabelsSql = "CAST(map(), 'Map(LowCardinality(String), String)')";

/** The sets of a profile, by the numbers that its samples have; and their ids. */
export const setsSql = `arrayPushFront(label_sets, ${noLabelsSql})`;
const idsSql = `arrayPushFront(arrayMap(label_set -> sipHash64(label_set), label_sets), sipHash64(${noLabelsSql}))`;

const ofPartsSql = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
              AND ${partStart} IN {starts:Array(UInt32)}`;

const PartsOfSets = SeriesRange.extend({ ...PartParams.shape, setsMax: z.int() });

/**
 * A row for each part and set: its labels as JSON ("" where they were not recorded) and its stacks. Only a row of start 0 if there are
 * too many sets.
 *
 * The sets of all profiles are numbered first. ARRAY JOIN repeats the set numbers of a profile for each of its samples, and two
 * bytes for each of them, in one string, are repeated in the least time: see `labelledStackTotals`.
 */
const stacksOfParts = bytesQuery({
  name: "labels.stacks-of-parts",
  hasWideRows: true,
  sql: `WITH (
          SELECT (groupArray(id), groupArray(toJSONString(labels)))
          FROM (
            SELECT id, any(label_set) AS labels
            FROM profiles
            ARRAY JOIN ${setsSql} AS label_set, ${idsSql} AS id
            WHERE ${ofPartsSql}
            GROUP BY id
            LIMIT {setsMax:UInt32} + 1
          )
        ) AS sets
        SELECT start, if(recorded = 1, sets.2[set], '') AS labels, groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT start, recorded, reinterpretAsUInt16(substring(numbers, 2 * number + 1, 2)) AS set, stack_id,
            sum(part) AS total, sum(additional_part) AS additional
          FROM (
            SELECT ${partStart} AS start, labels_recorded AS recorded, stacks,
              values[indexOf(sample_types, {sampleType:String})] AS parts,
              arrayResize(values[indexOf(sample_types, {additionalType:String})], length(stacks)) AS additional_parts,
              arrayResize(sample_sets, length(stacks)) AS of_samples,
              arrayStringConcat(arrayMap(place -> char(place % 256, intDiv(place, 256)),
                arrayMap(id -> transform(id, sets.1, arrayEnumerate(sets.1), toUInt32(0)), ${idsSql}))) AS numbers
            FROM profiles
            WHERE ${ofPartsSql}
              AND has(sample_types, {sampleType:String}) AND length(sets.1) <= {setsMax:UInt32}
          )
          ARRAY JOIN stacks AS stack_id, parts AS part, additional_parts AS additional_part, of_samples AS number
          GROUP BY start, recorded, set, stack_id
        )
        GROUP BY start, recorded, set
        UNION ALL
        SELECT toUInt32(0), '', [], [], [] WHERE length(sets.1) > {setsMax:UInt32}`,
  params: PartsOfSets.extend({ sampleType: z.string(), additionalType: z.string() }),
});

/** A row for each part and sample type, over the profiles whose labels were recorded; one set more than the limit if there are too many. */
const totalsOfParts = bytesQuery({
  name: "labels.totals-of-parts",
  hasWideRows: true,
  sql: `SELECT start, sampleType, toUInt64(max(profiles)), toInt64(max(lasted)), groupArray(toJSONString(labels)),
          groupArray(total)
        FROM (
          SELECT start, sampleType, any(label_set) AS labels, sum(part) AS total, count() AS profiles, sum(duration_ns) AS lasted
          FROM (
            SELECT ${partStart} AS start, sampleType, duration_ns, ${setsSql} AS sets, ${idsSql} AS ids,
              arrayPushFront(arrayResize(of_sets, length(label_sets)), whole - arraySum(of_sets)) AS parts
            FROM profiles
            ARRAY JOIN sample_types AS sampleType, deltas_totals AS whole, arrayResize(label_totals, length(sample_types)) AS of_sets
            WHERE ${ofPartsSql}
              AND labels_recorded = 1
          )
          ARRAY JOIN sets AS label_set, ids AS id, parts AS part
          GROUP BY start, sampleType, id
          LIMIT {setsMax:UInt32} + 1 BY start, sampleType
        )
        GROUP BY start, sampleType`,
  params: PartsOfSets,
});

const bytesOfSet = 400;
const bytesOfTotal = 200;

export function stacksBySet(
  columns: Pick<ColumnReader, "queryBytes">,
  setsMax = setsMaxDefault,
): PartReader<SummedRange, OrTooMany<readonly StacksOfSet[]>> {
  return {
    name: "stacks by labels",
    keyOf: ({ orgId, service, type, sampleType, additionalType }) =>
      JSON.stringify([orgId, service, type, sampleType, additionalType]),
    async read(range, parts) {
      const reader = new RowBinaryReader(
        await columns.queryBytes(stacksOfParts, { ...range, ...ofParts(parts), setsMax }),
      );
      const labelsOf = parser();
      const found = new Map<number, StacksOfSet[]>();
      while (!reader.isAtEnd) {
        const start = reader.uint32();
        if (start === 0) return allTooMany(parts);
        const labels = labelsOf(reader.text());
        append(found, start, { labels, ...readTotals(reader) });
      }
      return found;
    },
    empty: [],
    bytesOf: (sets) =>
      sets === tooManySets
        ? 0
        : sets.reduce((sum, { ids }) => sum + bytesOfSet + bytesOfStack * ids.length, 0),
  };
}

export function totalsBySet(
  columns: Pick<ColumnReader, "queryBytes">,
  setsMax = setsMaxDefault,
): PartReader<MergeRange, OrTooMany<readonly TypeTotalsBySet[]>> {
  return {
    name: "totals by labels",
    keyOf: ({ orgId, service, type }) => JSON.stringify([orgId, service, type]),
    async read(range, parts) {
      const reader = new RowBinaryReader(
        await columns.queryBytes(totalsOfParts, { ...range, ...ofParts(parts), setsMax }),
      );
      const labelsOf = parser();
      const found = new Map<number, TypeTotalsBySet[]>();
      while (!reader.isAtEnd) {
        const start = reader.uint32();
        const [sampleType, profiles, durationNs] = [reader.text(), Number(reader.uint64()), reader.int64()];
        const labels = reader.texts();
        const totals = reader.int64s();
        if (labels.length > setsMax) return allTooMany(parts);
        const sets = labels.map((text, index) => ({ labels: labelsOf(text) ?? {}, total: totals[index]! }));
        append(found, start, { sampleType, profiles, durationNs, sets });
      }
      return found;
    },
    empty: [],
    bytesOf: (types) =>
      types === tooManySets ? 0 : types.reduce((sum, { sets }) => sum + bytesOfTotal * sets.length, 0),
  };
}

function allTooMany(parts: readonly Part[]): ReadonlyMap<number, typeof tooManySets> {
  return new Map(parts.map(({ start }) => [start, tooManySets]));
}

function append<T>(lists: Map<number, T[]>, key: number, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** Reads labels; parts with the same set share one object. */
function parser(): (json: string) => LabelSet | undefined {
  const read = new Map<string, LabelSet>();
  return (json) => {
    if (json === "") return undefined;
    const known = read.get(json);
    if (known !== undefined) return known;
    // Without a prototype: a label may be called "constructor".
    const labels: LabelSet = Object.assign(Object.create(null), JSON.parse(json));
    read.set(json, labels);
    return labels;
  };
}

import { z } from "zod";
import { bytesQuery, query } from "#store/column/query.ts";
import { Count, Int64, SeriesRange } from "#store/column/values.ts";

/** The profiles of a range that have these tags, each with one of its values. */
export const TagRange = SeriesRange.extend({
  tagNames: z.array(z.string()),
  tagValues: z.array(z.array(z.string())),
});
export const ofTaggedProfiles = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
              AND arrayAll((name, texts) -> has(texts, tags[name]), {tagNames:Array(String)}, {tagValues:Array(Array(String))})`;

export const TypeTotals = z.object({
  sampleType: z.string(),
  total: Int64,
  profiles: Count,
  durationNs: Int64,
});
export type TypeTotals = z.output<typeof TypeTotals>;

/** Adds the totals of a sample type, modulo 2^64 as the engine does. */
export function addTotals(
  sums: Map<string, TypeTotals>,
  { sampleType, total, profiles, durationNs }: TypeTotals,
): void {
  const sum = sums.get(sampleType);
  sums.set(sampleType, {
    sampleType,
    total: BigInt.asIntN(64, (sum?.total ?? 0n) + total),
    profiles: (sum?.profiles ?? 0) + profiles,
    durationNs: (sum?.durationNs ?? 0n) + durationNs,
  });
}

/** @param start the first moment of the minutes that are added up, as SQL */
const sumsOfMinutes = (start: string) => `
          SELECT sample_type, toUnixTimestamp(${start}) AS start, sum(value) AS part, sum(profiles) AS counted,
            sum(duration_ns) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
          GROUP BY sample_type, start`;

/**
 * Totals of the profiles of a range, by sample type. The row of sample type "" counts each profile once, and has the
 * number of profiles in each hour, by Unix seconds.
 */
export const rangeTotals = query({
  name: "flame-graph.range-totals",
  isCacheable: true,
  sql: `SELECT sample_type AS sampleType, sum(part) AS total, sum(counted) AS profiles, sum(lasted) AS durationNs,
          groupArrayIf(start, sample_type = '') AS hours,
          groupArrayIf(toFloat64(counted), sample_type = '') AS hourProfiles
        FROM (${sumsOfMinutes("toStartOfHour(minute)")}
        )
        GROUP BY sampleType`,
  params: SeriesRange,
  row: TypeTotals.extend({ hours: z.array(z.int()), hourProfiles: z.array(z.int()) }),
});

/** As `rangeTotals`, for each minute, by Unix seconds. The lists are parallel. */
export const minuteTotals = query({
  name: "flame-graph.minute-totals",
  isCacheable: true,
  sql: `SELECT sample_type AS sampleType, groupArray(start) AS minutes, groupArray(part) AS totals,
          groupArray(toFloat64(counted)) AS profiles, groupArray(lasted) AS durationsNs
        FROM (${sumsOfMinutes("minute")}
        )
        GROUP BY sampleType`,
  params: SeriesRange,
  row: z.object({
    sampleType: z.string(),
    minutes: z.array(z.int()),
    totals: z.array(Int64),
    profiles: z.array(z.int()),
    durationsNs: z.array(Int64),
  }),
});

/** As `rangeTotals`, over the profiles with the tags, in the order in which profiles name their sample types. */
export const taggedTotals = query({
  name: "flame-graph.tagged-totals",
  isCacheable: true,
  sql: `SELECT sampleType, sum(total) AS total, count() AS profiles, sum(duration_ns) AS durationNs
        FROM (
          SELECT sampleType, total, duration_ns, place
          FROM profiles
          ARRAY JOIN sample_types AS sampleType, deltas_totals AS total, arrayEnumerate(sample_types) AS place
          WHERE ${ofTaggedProfiles}
        )
        GROUP BY sampleType
        ORDER BY min(place)`,
  params: TagRange,
  row: TypeTotals,
});

/** As `readStackTotals` of the store, over the profiles with the tags. */
export const taggedStackTotals = bytesQuery({
  name: "flame-graph.tagged-stack-totals",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (
            SELECT stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
              arrayResize(values[indexOf(sample_types, {additionalType:String})], length(stacks)) AS additional_parts
            FROM profiles
            WHERE ${ofTaggedProfiles}
              AND has(sample_types, {sampleType:String})
          )
          ARRAY JOIN stacks AS stack_id, parts AS part, additional_parts AS additional_part
          GROUP BY stack_id
        )`,
  params: TagRange.extend({ sampleType: z.string(), additionalType: z.string() }),
});

import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, type ColumnReader } from "#store/column/query.ts";
import { SeriesRange } from "#store/column/values.ts";
import { blockSeconds, type Part, type PartReader } from "./part-cache.ts";

/** Profiles of a service and type that began in [from, to). */
export interface StackTotalsRange {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  /** As `type/unit`. */
  readonly sampleType: string;
  /** A second sample type, which costs little to read in addition; "" for none. */
  readonly additionalType: string;
  readonly from: Date;
  readonly to: Date;
}

/**
 * Totals of stacks, as parallel arrays. A stack may occur several times, each with a part of its total. The total of a gauge is the
 * sum over all profiles.
 */
export interface StackTotals {
  readonly ids: BigUint64Array;
  readonly totals: BigInt64Array;
  readonly additional: BigInt64Array;
}

const blockStart = `toUnixTimestamp(toStartOfInterval(started_at, INTERVAL ${blockSeconds} SECOND))`;

/** The start of the part that a profile is in, as SQL: see `ofParts`. */
export const partStart = `if(${blockStart} IN {blocks:Array(UInt32)}, ${blockStart}, toUnixTimestamp(toStartOfMinute(started_at)))`;

export const PartParams = z.object({
  from: z.date(),
  to: z.date(),
  starts: z.array(z.int()),
  blocks: z.array(z.int()),
});

/** Parameters that select the profiles of parts. Minutes differ from the blocks'. */
export function ofParts(parts: readonly Part[]): z.output<typeof PartParams> {
  return {
    from: new Date(Math.min(...parts.map(({ start }) => start)) * 1000),
    to: new Date(Math.max(...parts.map(({ start, seconds }) => start + seconds)) * 1000),
    starts: parts.map(({ start }) => start),
    blocks: parts.filter(({ seconds }) => seconds === blockSeconds).map(({ start }) => start),
  };
}

const Sums = SeriesRange.extend({ sampleType: z.string(), additionalType: z.string() });

/** Sums of rolled hours: Unix seconds, and the version of each. */
export const rolledSums = bytesQuery({
  name: "stack-totals.rolled-sums",
  isCacheable: true,
  sql: `SELECT groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (
            SELECT stack_id, if(sample_type = {sampleType:String}, value, 0) AS part, value - part AS additional_part
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND sample_type IN ({sampleType:String}, {additionalType:String})
              AND (hour, version) IN (
                SELECT toDateTime(rolled.1, 'UTC'), rolled.2
                FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {versions:Array(UInt64)})) AS rolled))
          )
          GROUP BY stack_id
        )`,
  params: Sums.extend({ hours: z.array(z.int()), versions: z.array(z.bigint()) }),
});

const profileParts = (start: string) => `
            SELECT start, stack_id, part, additional_part
            FROM (
              SELECT ${start} AS start, stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
                arrayResize(values[indexOf(sample_types, {additionalType:String})], length(stacks)) AS additional_parts
              FROM profiles
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
                AND has(sample_types, {sampleType:String})
                AND start IN {starts:Array(UInt32)}
            )
            ARRAY JOIN stacks AS stack_id, parts AS part, additional_parts AS additional_part`;

const ProfileSums = Sums.extend({ starts: z.array(z.int()) });

/** Sums over the profiles of hours: `starts`, in Unix seconds. */
export const hourSums = bytesQuery({
  name: "stack-totals.hour-sums",
  isCacheable: true,
  hasWideRows: true,
  sql: `SELECT groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (${profileParts("toUnixTimestamp(toStartOfHour(started_at))")}
          )
          GROUP BY stack_id
        )`,
  params: ProfileSums,
});

/** A row for each of these parts that has profiles. `PartCache` caches the rows. */
const partSums = bytesQuery({
  name: "stack-totals.part-sums",
  hasWideRows: true,
  sql: `SELECT start, groupArray(stack_id), groupArray(total), groupArray(additional)
        FROM (
          SELECT start, stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (${profileParts(partStart)}
          )
          GROUP BY start, stack_id
        )
        GROUP BY start`,
  params: Sums.extend(PartParams.shape),
});

/** In memory. */
export const bytesOfStack = 24;

export function stacksOfParts(
  columns: Pick<ColumnReader, "queryBytes">,
): PartReader<StackTotalsRange, StackTotals> {
  return {
    name: "stacks",
    keyOf: ({ orgId, service, type, sampleType, additionalType }) =>
      JSON.stringify([orgId, service, type, sampleType, additionalType]),
    async read(range, parts) {
      const bytes = await columns.queryBytes(partSums, { ...range, ...ofParts(parts) });
      const reader = new RowBinaryReader(bytes);
      const sums = new Map<number, StackTotals>();
      while (!reader.isAtEnd) sums.set(reader.uint32(), readTotals(reader));
      return sums;
    },
    empty: noStacks,
    bytesOf: ({ ids }) => bytesOfStack * ids.length,
  };
}

const noStacks: StackTotals = {
  ids: new BigUint64Array(0),
  totals: new BigInt64Array(0),
  additional: new BigInt64Array(0),
};

/** Reads a row of the queries above. */
export function readTotals(reader: RowBinaryReader): StackTotals {
  return { ids: reader.uint64s(), totals: reader.int64s(), additional: reader.int64s() };
}

export function toTotals(bytes: Buffer): StackTotals {
  return readTotals(new RowBinaryReader(bytes));
}

/** A stack may occur once in each part. */
export function concatenated(parts: readonly StackTotals[]): StackTotals {
  if (parts.length === 1) return parts[0]!;
  const length = parts.reduce((sum, { ids }) => sum + ids.length, 0);
  const ids = new BigUint64Array(length);
  const totals = new BigInt64Array(length);
  const additional = new BigInt64Array(length);
  let at = 0;
  for (const part of parts) {
    ids.set(part.ids, at);
    totals.set(part.totals, at);
    additional.set(part.additional, at);
    at += part.ids.length;
  }
  return { ids, totals, additional };
}

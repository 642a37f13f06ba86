import { hourMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { RowBinaryReader } from "#store/column/client/row-binary.ts";
import { bytesQuery, type ColumnReader, type OrganizationParams, query } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import { Count, Int64, SeriesRange } from "#store/column/values.ts";

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

const HourSeconds = z.int();

/** The latest roll-up of each whole hour, and how many profiles it summed. */
const rolledHours = query({
  name: "stack-totals.rolled-hours",
  isCacheable: true,
  sql: `SELECT toUnixTimestamp(hour) AS hourSeconds, max(version) AS latest, argMax(profiles, version) AS profiles
        FROM rolled_hours
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND hour >= {from:DateTime64(3,'UTC')} AND hour <= {to:DateTime64(3,'UTC')} - INTERVAL 1 HOUR
        GROUP BY hour`,
  params: SeriesRange,
  row: z.object({ hourSeconds: HourSeconds, latest: Int64, profiles: Count }),
});

const Sums = SeriesRange.extend({ sampleType: z.string(), additionalType: z.string() });
const RolledSums = Sums.extend({ hours: z.array(HourSeconds), versions: z.array(z.bigint()) });
const ProfileSums = Sums.extend({ otherHours: z.array(HourSeconds) });

const ofRolledHours = `
            SELECT stack_id, if(sample_type = {sampleType:String}, value, 0) AS part, value - part AS additional_part
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND sample_type IN ({sampleType:String}, {additionalType:String})
              AND (hour, version) IN (
                SELECT toDateTime(rolled.1, 'UTC'), rolled.2
                FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {versions:Array(UInt64)})) AS rolled))`;

const ofProfiles = `
            SELECT stack_id, part, additional_part
            FROM (
              SELECT stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
                arrayResize(values[indexOf(sample_types, {additionalType:String})], length(stacks)) AS additional_parts
              FROM profiles
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
                AND has(sample_types, {sampleType:String})
                AND toUnixTimestamp(toStartOfHour(started_at)) IN {otherHours:Array(UInt32)}
            )
            ARRAY JOIN stacks AS stack_id, parts AS part, additional_parts AS additional_part`;

function sumsOf<P extends OrganizationParams>(params: z.ZodType<P>, parts: string, hasWideRows: boolean) {
  return bytesQuery({
    name: "stack-totals.sums",
    isCacheable: true,
    hasWideRows,
    sql: `SELECT groupArray(stack_id) AS stack_ids, groupArray(total) AS totals, groupArray(additional) AS additional
        FROM (
          SELECT stack_id, sum(part) AS total, sum(additional_part) AS additional
          FROM (${parts}
          )
          GROUP BY stack_id
        )`,
    params,
  });
}

// Two queries at the same time, and not one over both: sums of hours that are over are cached while profiles of the present hour
// come. A query without rows is left out, because planning one takes the engine as long as reading some.
const rolledSums = sumsOf(RolledSums, ofRolledHours, false);
const profileSums = sumsOf(ProfileSums, ofProfiles, true);

type SeriesOnly = Omit<StackTotalsRange, "sampleType" | "additionalType">;
export type RolledHour = z.output<typeof rolledHours.row>;

/** The whole hours of a range that are rolled up, complete or not. */
export async function readRolledHours(
  columns: Pick<ColumnReader, "query">,
  range: SeriesOnly,
): Promise<readonly RolledHour[]> {
  const firstWhole = Math.ceil(range.from.getTime() / hourMs) * hourMs;
  return firstWhole + hourMs > range.to.getTime() ? [] : columns.query(rolledHours, range);
}

/** The number of profiles in each hour of a range, by Unix seconds, and the roll-ups of these hours. */
export interface HoursOfRange {
  readonly profiles: ReadonlyMap<number, number>;
  readonly rolled: readonly RolledHour[];
}

/**
 * The totals of each stack of a service in a range. Whole hours are read from the roll-up if it has counted exactly the
 * profiles of the hour; all other hours are summed from the profiles.
 */
export async function readStackTotals(
  columns: Pick<ColumnReader, "queryBytes">,
  range: StackTotalsRange,
  { profiles, rolled }: HoursOfRange,
): Promise<StackTotals> {
  const complete = rolled.filter((hour) => profiles.get(hour.hourSeconds) === hour.profiles);
  const hours = complete.map((hour) => hour.hourSeconds);
  const versions = complete.map(({ latest }) => latest);
  const completeHours = new Set(hours);
  const otherHours = [...profiles.keys()].filter((hour) => !completeHours.has(hour));
  const parts = await Promise.all([
    ...(hours.length === 0
      ? []
      : [columns.queryBytes(rolledSums, { ...spanOf(range, hours), hours, versions })]),
    ...runsOf(otherHours, range).map((run) =>
      columns.queryBytes(profileSums, { ...spanOf(range, run), otherHours: run }),
    ),
  ]);
  return concatenated(parts.map(toTotals));
}

/** The hour that a range ends in gets profiles, while the others seldom do: two runs of hours, each with its own result. */
function runsOf(hours: readonly number[], { to }: StackTotalsRange): number[][] {
  const lastHour = hourOf(Math.ceil(to.getTime() / 1000) - 1);
  const groups = [hours.filter((hour) => hour !== lastHour), hours.filter((hour) => hour === lastHour)];
  return groups.filter((group) => group.length > 0);
}

/** The part of the range that the hours cover, so that a range that begins a minute later has the same parameters. */
function spanOf(range: StackTotalsRange, hours: readonly number[]): StackTotalsRange {
  const firstMs = Math.min(...hours) * 1000;
  const endMs = Math.max(...hours) * 1000 + hourMs;
  return {
    ...range,
    from: new Date(Math.max(range.from.getTime(), firstMs)),
    to: new Date(Math.min(range.to.getTime(), endMs)),
  };
}

function toTotals(bytes: Buffer): StackTotals {
  const reader = new RowBinaryReader(bytes);
  return { ids: reader.uint64s(), totals: reader.int64s(), additional: reader.int64s() };
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

import { z } from "zod";
import type { ColumnStore } from "./column-store.ts";
import { bytesQuestion, question } from "./question.ts";
import { RowBinaryReader } from "./row-binary.ts";
import { Count, Int64 } from "./values.ts";

/** Profiles of a service and type that began in [from, to). */
export interface StackTotalsRange {
  readonly orgId: string;
  readonly service: string;
  readonly type: string;
  /** As `type/unit`. */
  readonly sampleType: string;
  /** Another sample type, read at little cost along with it; "" for none. */
  readonly besideType: string;
  readonly from: Date;
  readonly to: Date;
}

/** What each stack added; the three are parallel. Of a gauge this is the sum over all profiles. */
export interface StackTotals {
  readonly ids: BigUint64Array;
  readonly totals: BigInt64Array;
  readonly beside: BigInt64Array;
}

const Range = z.object({
  orgId: z.uuid(),
  service: z.string(),
  type: z.string(),
  from: z.date(),
  to: z.date(),
});
const HourSeconds = z.int();

/** The latest roll-up of each whole hour, and how many profiles it summed. */
const rolledHours = question({
  name: "stack-totals.rolled-hours",
  sql: `SELECT toUnixTimestamp(hour) AS hourSeconds, max(version) AS latest, argMax(profiles, version) AS profiles
        FROM rolled_hours
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND hour >= {from:DateTime64(3,'UTC')} AND hour <= {to:DateTime64(3,'UTC')} - INTERVAL 1 HOUR
        GROUP BY hour`,
  params: Range,
  row: z.object({ hourSeconds: HourSeconds, latest: Int64, profiles: Count }),
});

const profilesByHour = question({
  name: "stack-totals.profiles-by-hour",
  sql: `SELECT toUnixTimestamp(toStartOfHour(minute)) AS hourSeconds, sum(profiles) AS profiles
        FROM type_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String} AND sample_type = ''
          AND minute >= toStartOfHour({from:DateTime64(3,'UTC')}) AND minute < {to:DateTime64(3,'UTC')}
        GROUP BY hourSeconds`,
  params: Range,
  row: z.object({ hourSeconds: HourSeconds, profiles: Count }),
});

const sums = bytesQuestion({
  name: "stack-totals.sums",
  sql: `SELECT groupArray(stack_id) AS stack_ids, groupArray(total) AS totals, groupArray(beside) AS beside
        FROM (
          SELECT stack_id, sum(part) AS total, sum(beside_part) AS beside
          FROM (
            SELECT stack_id, if(sample_type = {sampleType:String}, value, 0) AS part, value - part AS beside_part
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND sample_type IN ({sampleType:String}, {besideType:String})
              AND (hour, version) IN (
                SELECT toDateTime(rolled.1, 'UTC'), rolled.2
                FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {versions:Array(UInt64)})) AS rolled))
            UNION ALL
            SELECT stack_id, part, beside_part
            FROM (
              SELECT stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
                arrayResize(values[indexOf(sample_types, {besideType:String})], length(stacks)) AS beside_parts
              FROM profiles
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND started_at >= {from:DateTime64(3,'UTC')} AND started_at < {to:DateTime64(3,'UTC')}
                AND has(sample_types, {sampleType:String})
                AND toStartOfHour(started_at) IN (
                  SELECT toDateTime(arrayJoin({otherHours:Array(UInt32)}), 'UTC'))
            )
            ARRAY JOIN stacks AS stack_id, parts AS part, beside_parts AS beside_part
          )
          GROUP BY stack_id
        )`,
  params: Range.extend({
    sampleType: z.string(),
    besideType: z.string(),
    hours: z.array(HourSeconds),
    versions: z.array(z.bigint()),
    otherHours: z.array(HourSeconds),
  }),
});

/**
 * What each stack of a service added in a range. Whole hours come from the roll-up where it holds exactly the
 * profiles the hour has; all other hours are summed from the profiles.
 */
export async function readStackTotals(
  columns: Pick<ColumnStore, "ask" | "askBytes">,
  range: StackTotalsRange,
): Promise<StackTotals> {
  const [rolled, counted] = await Promise.all([
    columns.ask(rolledHours, range),
    columns.ask(profilesByHour, range),
  ]);
  const profilesOf = new Map(counted.map(({ hourSeconds, profiles }) => [hourSeconds, profiles]));
  const believed = rolled.filter(({ hourSeconds, profiles }) => profilesOf.get(hourSeconds) === profiles);
  const believedHours = new Set(believed.map(({ hourSeconds }) => hourSeconds));
  const answer = new RowBinaryReader(
    await columns.askBytes(sums, {
      ...range,
      hours: [...believedHours],
      versions: believed.map(({ latest }) => latest),
      otherHours: [...profilesOf.keys()].filter((hour) => !believedHours.has(hour)),
    }),
  );
  return { ids: answer.uint64s(), totals: answer.int64s(), beside: answer.int64s() };
}

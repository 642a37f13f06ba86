import { hourMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { AddedStacks } from "#store/column/awaited-rows.ts";
import { type ColumnReader, query } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import { Count, Int64, SeriesRange } from "#store/column/values.ts";
import type { PartCache } from "./part-cache.ts";
import {
  concatenated,
  hourSums,
  rolledSums,
  type StackTotals,
  type StackTotalsRange,
  stacksOfParts,
  toTotals,
} from "./stack-sums.ts";

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
  row: z.object({ hourSeconds: z.int(), latest: Int64, profiles: Count }),
});

type SeriesOnly = Omit<StackTotalsRange, "sampleType" | "additionalType">;
export type RolledHour = z.output<typeof rolledHours.row>;

/** The whole hours of a range that are rolled up, complete or not. */
export async function readRolledHours(
  columns: Pick<ColumnReader, "query">,
  range: SeriesOnly,
): Promise<readonly RolledHour[]> {
  const firstWholeMs = Math.ceil(range.from.getTime() / hourMs) * hourMs;
  const endOfWholeMs = Math.floor(range.to.getTime() / hourMs) * hourMs;
  if (firstWholeMs >= endOfWholeMs) return [];
  // Only whole hours, so that a range that begins or ends a minute later has the same parameters.
  return columns.query(rolledHours, { ...range, from: new Date(firstWholeMs), to: new Date(endOfWholeMs) });
}

/** The hours of a range that have profiles, by Unix seconds. */
export interface HoursOfRange {
  /** The number of profiles in each hour. */
  readonly profiles: ReadonlyMap<number, number>;
  /**
   * The number of profiles in each minute of the hours that the range begins and ends in, also of minutes before and after it. Sums of
   * these hours are cached by part.
   */
  readonly minutes: ReadonlyMap<number, number>;
  readonly rolled: readonly RolledHour[];
  /** Profiles of the range that waited to be inserted when the others were counted. */
  readonly waiting: readonly AddedStacks[];
}

/**
 * The totals of each stack of a service in a range. Whole hours are read from the roll-up if it has counted exactly the
 * profiles of the hour; all other hours are summed from the profiles.
 */
export async function readStackTotals(
  columns: Pick<ColumnReader, "queryBytes">,
  parts: Pick<PartCache, "read">,
  range: StackTotalsRange,
  { profiles, minutes, rolled, waiting }: HoursOfRange,
): Promise<StackTotals> {
  const complete = rolled.filter((hour) => profiles.get(hour.hourSeconds) === hour.profiles);
  const hours = complete.map((hour) => hour.hourSeconds);
  const versions = complete.map(({ latest }) => latest);
  const completeHours = new Set(hours);
  const otherMinutes = new Map([...minutes].filter(([minute]) => !completeHours.has(hourOf(minute))));
  const hoursInParts = new Set([...otherMinutes.keys()].map(hourOf));
  const starts = [...profiles.keys()].filter((hour) => !completeHours.has(hour) && !hoursInParts.has(hour));
  // Separate, parallel queries: the results for past hours stay cached while the current hour keeps changing. A query without rows is
  // left out, because planning one takes the engine as long as reading some.
  const totals = await Promise.all([
    ...(hours.length === 0
      ? []
      : [columns.queryBytes(rolledSums, { ...spanOf(range, hours), hours, versions }).then(toTotals)]),
    ...(starts.length === 0
      ? []
      : [columns.queryBytes(hourSums, { ...spanOf(range, starts), starts }).then(toTotals)]),
    parts.read(stacksOfParts(columns), range, otherMinutes),
  ]);
  return concatenated([...totals.flat(), ...waiting.flatMap((added) => totalsIn(added, range))]);
}

/** As the queries have it: no row without the main sample type. */
function totalsIn(
  { sampleTypes, ids, values }: AddedStacks,
  { sampleType, additionalType }: StackTotalsRange,
): StackTotals[] {
  const totals = values[sampleTypes.indexOf(sampleType)];
  if (totals === undefined) return [];
  const additional = values[sampleTypes.indexOf(additionalType)];
  return [{ ids, totals, additional: additional ?? new BigInt64Array(ids.length) }];
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

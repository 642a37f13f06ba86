import { hourMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { type ColumnReader, query } from "#store/column/query.ts";
import { Int64, SeriesRange } from "#store/column/values.ts";

/**
 * The hours of a range whose labels are read from their roll-up, as two parallel lists for the column store. All other profiles are
 * read themselves.
 */
export interface LabelHours {
  /** Unix seconds. */
  readonly hours: number[];
  readonly versions: bigint[];
}

export const LabelHours = z.object({ hours: z.array(z.int()), versions: z.array(z.bigint()) });

const noLabelHours: LabelHours = { hours: [], versions: [] };

/** The latest roll-up of each hour, if it summed as many profiles as the hour has now. */
const completeHours = query({
  name: "labels.complete-hours",
  isCacheable: true,
  sql: `SELECT toUnixTimestamp(hour) AS hourSeconds, latest
        FROM (
          SELECT hour, max(version) AS latest, argMax(profiles, version) AS summed, argMax(has_rows, version) AS has_rows
          FROM rolled_label_hours
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
            AND hour >= {from:DateTime('UTC')} AND hour < {to:DateTime('UTC')}
          GROUP BY hour
        ) AS rolled
        JOIN (
          SELECT toStartOfHour(minute) AS hour, sum(profiles) AS counted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String} AND sample_type = ''
            AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}
          GROUP BY hour
        ) AS stored USING (hour)
        WHERE has_rows = 1 AND summed = counted
        ORDER BY hour`,
  params: SeriesRange,
  row: z.object({ hourSeconds: z.int(), latest: Int64 }),
});

interface Range extends Omit<z.output<typeof SeriesRange>, "from" | "to"> {
  readonly from: Date;
  readonly to: Date;
  /** Roll-ups have no tags. */
  readonly tagNames: readonly string[];
}

/** The whole hours of a range that are rolled up completely. */
export async function readLabelHours(
  columns: Pick<ColumnReader, "query">,
  range: Range,
): Promise<LabelHours> {
  const whole = wholeHours(range);
  if (range.tagNames.length > 0 || whole.from >= whole.to) return noLabelHours;
  const { orgId, service, type } = range;
  const rows = await columns.query(completeHours, { orgId, service, type, ...whole });
  return { hours: rows.map(({ hourSeconds }) => hourSeconds), versions: rows.map(({ latest }) => latest) };
}

/** So that a range that begins a minute later has the same parameters. */
export function wholeHours({ from, to }: { readonly from: Date; readonly to: Date }): {
  from: Date;
  to: Date;
} {
  return {
    from: new Date(Math.ceil(from.getTime() / hourMs) * hourMs),
    to: new Date(Math.floor(to.getTime() / hourMs) * hourMs),
  };
}

/** Selects rows of label_totals_1h of the hours. */
export const ofLabelHours = `org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND (hour, version) IN (
                SELECT toDateTime(rolled.1, 'UTC'), rolled.2
                FROM (SELECT arrayJoin(arrayZip({hours:Array(UInt32)}, {versions:Array(UInt64)})) AS rolled))`;

/** Selects profiles of other hours. For PREWHERE: an ARRAY JOIN keeps the engine from moving it there, and it would read all columns first. */
export const notOfLabelHours = "toUnixTimestamp(toStartOfHour(started_at)) NOT IN {hours:Array(UInt32)}";

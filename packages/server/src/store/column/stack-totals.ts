import { z } from "zod";
import { bytesQuestion } from "./question.ts";

/**
 * What each stack of a service added in [from, to): one row, Array(UInt64) of stack ids and two Array(Int64), the
 * totals of the sample type and of the one beside it, parallel. Whole hours come from the roll-up where it holds exactly the profiles the hour has; everything else is
 * summed from the profiles. Of a gauge this is the sum over all profiles.
 */
export const stackTotals = bytesQuestion({
  name: "stack-totals",
  sql: `WITH
          {from:DateTime64(3,'UTC')} AS range_from,
          {to:DateTime64(3,'UTC')} AS range_to,
          believed AS (
            SELECT rolled.hour AS hour, rolled.latest AS version
            FROM (
              SELECT hour, max(version) AS latest, argMax(profiles, version) AS profiles
              FROM rolled_hours
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND hour >= range_from AND hour + INTERVAL 1 HOUR <= range_to
              GROUP BY hour
            ) AS rolled
            JOIN (
              SELECT toStartOfHour(minute) AS hour, sum(profiles) AS profiles
              FROM type_totals_1m
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND sample_type = '' AND minute >= toStartOfHour(range_from) AND minute < range_to
              GROUP BY hour
            ) AS counted USING (hour)
            WHERE rolled.profiles = counted.profiles
          )
        SELECT groupArray(stack_id) AS stack_ids, groupArray(total) AS totals, groupArray(beside) AS beside
        FROM (
          SELECT stack_id, sum(part) AS total, sum(beside_part) AS beside
          FROM (
            SELECT stack_id, if(sample_type = {sampleType:String}, value, 0) AS part, value - part AS beside_part
            FROM stack_totals_1h
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND sample_type IN ({sampleType:String}, {besideType:String})
              AND (hour, version) IN (SELECT hour, version FROM believed)
            UNION ALL
            SELECT stack_id, part, beside_part
            FROM (
              SELECT stacks, values[indexOf(sample_types, {sampleType:String})] AS parts,
                arrayResize(values[indexOf(sample_types, {besideType:String})], length(stacks)) AS beside_parts
              FROM profiles
              WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
                AND started_at >= range_from AND started_at < range_to
                AND has(sample_types, {sampleType:String})
                AND toStartOfHour(started_at) NOT IN (SELECT hour FROM believed)
            )
            ARRAY JOIN stacks AS stack_id, parts AS part, beside_parts AS beside_part
          )
          GROUP BY stack_id
        )`,
  params: z.object({
    orgId: z.uuid(),
    service: z.string(),
    type: z.string(),
    sampleType: z.string(),
    /** Another sample type, read at little cost along with it; "" for none. */
    besideType: z.string(),
    from: z.date(),
    to: z.date(),
  }),
});

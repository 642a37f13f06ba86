import { z } from "zod";
import { bytesQuery, query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";

/** The hours whose roll-up has counted exactly the profiles of the hour, between two whole hours. */
const completeHours = `complete AS (
          SELECT rolled.service AS service, rolled.hour AS hour, rolled.latest AS version
          FROM (
            SELECT service, hour, max(version) AS latest, argMax(profiles, version) AS summed
            FROM rolled_hours
            WHERE org_id = {orgId:UUID} AND type = {type:String} AND service IN {services:Array(String)}
              AND hour >= {firstHour:DateTime('UTC')} AND hour < {endHour:DateTime('UTC')}
            GROUP BY service, hour
          ) AS rolled
          JOIN (
            SELECT service, toStartOfHour(minute) AS hour, sum(profiles) AS stored
            FROM type_totals_1m
            WHERE org_id = {orgId:UUID} AND type = {type:String} AND service IN {services:Array(String)}
              AND sample_type = ''
              AND minute >= {firstHour:DateTime('UTC')} AND minute < {endHour:DateTime('UTC')}
            GROUP BY service, hour
          ) AS counted ON counted.service = rolled.service AND counted.hour = rolled.hour
          WHERE summed = stored
        )`;

const Sums = z.object({
  orgId: z.uuid(),
  type: z.string(),
  from: z.date(),
  to: z.date(),
  services: z.array(z.string()),
  /** The sample type of each service. */
  sampleTypes: z.array(z.string()),
  firstHour: z.date(),
  endHour: z.date(),
  stacksMax: z.int(),
});

export type StacksRange = z.output<typeof Sums>;

/**
 * Equal before and after a read if the same hours were complete all the time: a roll-up of an hour has a higher version than the last.
 * Never from a cache, which forgets an hour only when its roll-up ends.
 */
export const completeHoursState = query({
  name: "shared-functions.complete-hours",
  sql: `WITH ${completeHours}
        SELECT count() AS hours, toString(sum(cityHash64(service, hour, version))) AS versions
        FROM complete`,
  params: Sums,
  row: z.object({ hours: Count, versions: z.string() }),
});

/** The state is part of the parameters, so that a cached result of other complete hours is not taken. */
const SumsAtState = Sums.extend({ state: z.string().min(1) });

const sampleTypeOfService =
  "transform(toString(service), {services:Array(String)}, {sampleTypes:Array(String)}, '')";

/** A row for each service: its largest stacks, and their totals in whole hours that are rolled up. */
export const rolledStacks = bytesQuery({
  name: "shared-functions.rolled",
  isCacheable: true,
  sql: `WITH ${completeHours}
        SELECT toString(service), groupArray(stack_id), groupArray(total)
        FROM (
          SELECT service, stack_id, sum(value) AS total
          FROM stack_totals_1h
          WHERE org_id = {orgId:UUID} AND type = {type:String} AND service IN {services:Array(String)}
            AND hour >= {from:DateTime64(3, 'UTC')} AND hour < {to:DateTime64(3, 'UTC')}
            AND sample_type = ${sampleTypeOfService}
            AND (service, hour, version) IN (SELECT service, hour, version FROM complete)
            AND {state:String} != ''
          GROUP BY service, stack_id
          ORDER BY service, total DESC
          LIMIT {stacksMax:UInt32} BY service
        )
        GROUP BY service`,
  params: SumsAtState,
});

/** As `rolledStacks`, from the profiles of all other hours. */
export const recentStacks = bytesQuery({
  name: "shared-functions.recent",
  isCacheable: true,
  hasWideRows: true,
  sql: `WITH ${completeHours}
        SELECT toString(service), groupArray(stack_id), groupArray(total)
        FROM (
          SELECT service, stack_id, sum(part) AS total
          FROM (
            SELECT service, stacks, values[indexOf(sample_types, ${sampleTypeOfService})] AS parts
            FROM profiles
            WHERE org_id = {orgId:UUID} AND type = {type:String} AND service IN {services:Array(String)}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
              AND has(sample_types, ${sampleTypeOfService})
              AND (service, toStartOfHour(started_at)) NOT IN (SELECT service, hour FROM complete)
              AND {state:String} != ''
          )
          ARRAY JOIN stacks AS stack_id, parts AS part
          GROUP BY service, stack_id
          ORDER BY service, total DESC
          LIMIT {stacksMax:UInt32} BY service
        )
        GROUP BY service`,
  params: SumsAtState,
});

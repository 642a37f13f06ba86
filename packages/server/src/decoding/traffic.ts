import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";
import { instanceTags } from "#store/profiles/tag-names.ts";

const requestsInRange = query({
  name: "traffic.requests",
  sql: `SELECT sum(requests) AS requests, uniqExact(minute) AS minutes
        FROM http_service_totals_1m
        WHERE org_id = {orgId:UUID} AND service = {service:String}
          AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}`,
  params: SeriesRange.omit({ type: true }),
  row: z.object({ requests: Count, minutes: Count }),
});

/** Over a whole range, the instances before and after a deploy would count as twice as many as ever ran at the same time. */
const instancesInRange = query({
  name: "traffic.instances",
  sql: `SELECT if(count() = 0, 0, avg(instances)) AS instances
        FROM (
          SELECT toFloat64(uniqExact(if(instance = '', toString(tags), instance))) AS instances
          FROM (
            SELECT started_at, tags,
              arrayFirst(value -> value != '', arrayMap(name -> tags[name], {instanceTags:Array(String)})) AS instance
            FROM profiles
            WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
              AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          )
          GROUP BY toStartOfFifteenMinutes(started_at)
        )`,
  params: SeriesRange.extend({ instanceTags: z.array(z.string()) }),
  row: z.object({ instances: z.number() }),
});

type Columns = Pick<ColumnStore, "query">;
type Range = z.output<typeof SeriesRange>;

/** HTTP requests of all instances of a service in whole minutes. */
export interface ServiceRequests {
  readonly requests: number;
  /** Minutes with requests. */
  readonly minutes: number;
}

export async function readRequests(columns: Columns, range: Omit<Range, "type">): Promise<ServiceRequests> {
  const [row] = await columns.query(requestsInRange, range);
  return row ?? { requests: 0, minutes: 0 };
}

/**
 * How many instances sent profiles at the same time: the mean over the quarters of an hour with profiles. Profiles without an
 * instance's tag are of one instance if all their tags are equal. Undefined without profiles.
 */
export async function readInstances(columns: Columns, range: Range): Promise<number | undefined> {
  const [row] = await columns.query(instancesInRange, { ...range, instanceTags: [...instanceTags] });
  return row === undefined || row.instances === 0 ? undefined : row.instances;
}

/** The HTTP requests that the values of a range are divided by. */
export interface Traffic {
  /** The sum over all instances. */
  readonly requests: number;
  /** Of one instance, in the minutes with requests. */
  readonly requestsPerSecond: number;
}

/** Undefined without requests. */
export function trafficOf(
  { requests, minutes }: ServiceRequests,
  instances: number | undefined,
): Traffic | undefined {
  if (requests === 0) return undefined;
  return { requests, requestsPerSecond: requests / (minutes * 60) / (instances ?? 1) };
}

/**
 * The requests that were answered while the profiler ran, for profiles that last `durationMs` together. Never more than all
 * requests: without tags that tell instances apart, and where many minutes have no requests, the rate is too high.
 */
export function profiledRequests({ requests, requestsPerSecond }: Traffic, durationMs: number): number {
  return Math.min(requests, (requestsPerSecond * durationMs) / 1000);
}

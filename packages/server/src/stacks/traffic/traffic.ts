import type { HttpRoute } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count, SeriesRange } from "#store/column/values.ts";
import { instanceTags } from "#store/profiles/tag-names.ts";

const everyRoute: HttpRoute = { method: "", path: "" };
const RouteRange = SeriesRange.omit({ type: true }).extend({ method: z.string(), path: z.string() });
const ofRoute =
  "({method:String} = '' OR method = {method:String}) AND ({path:String} = '' OR path = {path:String})";

/** @param condition on the rows of the table */
function requestsQuery(name: string, table: string, condition: string) {
  return query({
    name,
    isCacheable: true,
    sql: `SELECT sum(requests) AS requests, uniqExact(minute) AS minutes, sum(duration_seconds) AS durationSeconds
          FROM ${table}
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND ${condition}
            AND minute >= {from:DateTime('UTC')} AND minute < {to:DateTime('UTC')}`,
    params: RouteRange,
    row: z.object({ requests: Count, minutes: Count, durationSeconds: z.number() }),
  });
}

const requestsInRange = requestsQuery("traffic.requests", "http_service_totals_1m", "1");
const requestsOfRoute = requestsQuery("traffic.requests-of-route", "http_totals_1m", ofRoute);

/** Over a whole range, the instances before and after a deploy would count as twice as many as ever ran at the same time. */
const instancesInRange = query({
  name: "traffic.instances",
  isCacheable: true,
  sql: `SELECT if(count() = 0, 0, avg(instances)) AS instances
        FROM (
          SELECT toFloat64(uniqExact(if(instance = '', toString(others), instance))) AS instances
          FROM (
            SELECT started_at, mapFilter((name, value) -> name != 'file', tags) AS others,
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

const Window = z.object({ fromMs: z.number(), toMs: z.number() });
type Window = z.output<typeof Window>;

/**
 * When the profiler ran. Profiles are chosen by a hash if there are many, so that a long range is read as quickly as a short one.
 * Those of more than an hour, which no profiler records by itself, are left out: there may be millions of requests in each.
 */
const profiledWindows = query({
  name: "traffic.windows",
  isCacheable: true,
  sql: `SELECT toFloat64(toUnixTimestamp64Milli(started_at)) AS fromMs, fromMs + duration_ns / 1e6 AS toMs
        FROM profiles
        WHERE org_id = {orgId:UUID} AND service = {service:String} AND type = {type:String}
          AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
          AND duration_ns BETWEEN 1 AND 3600000000000
        ORDER BY cityHash64(profile_id)
        LIMIT 200`,
  params: SeriesRange,
  row: Window,
});

/** Requests are first counted by tenths of a second: fewer comparisons with the windows, and hardly less exact. */
const requestsInWindows = query({
  name: "traffic.requests-in-windows",
  isCacheable: true,
  sql: `SELECT toFloat64(sum(requests * arrayCount((fromMs, toMs) -> ms >= fromMs AND ms < toMs,
            {fromMs:Array(Float64)}, {toMs:Array(Float64)}))) AS requests
        FROM (
          SELECT intDiv(toUnixTimestamp64Milli(at), 100) * 100 AS ms, count() AS requests
          FROM http_requests
          WHERE org_id = {orgId:UUID} AND service = {service:String} AND ${ofRoute}
            AND at >= {from:DateTime64(3, 'UTC')} AND at < {to:DateTime64(3, 'UTC')}
            AND toUnixTimestamp(toStartOfMinute(at)) IN {minutes:Array(UInt32)}
          GROUP BY ms
        )`,
  params: RouteRange.extend({
    fromMs: z.array(z.number()),
    toMs: z.array(z.number()),
    minutes: z.array(z.int()),
  }),
  row: z.object({ requests: z.number() }),
});

type Columns = Pick<ColumnStore, "query">;
type Range = z.output<typeof SeriesRange>;

/** HTTP requests of all instances of a service, or of one of its routes, in whole minutes. */
interface ServiceRequests {
  readonly requests: number;
  /** Minutes with requests. */
  readonly minutes: number;
  /** Sum of the response times. */
  readonly durationSeconds: number;
}

/** HTTP requests of all instances while some of the profiles were taken. */
interface ObservedRequests {
  readonly requests: number;
  /** The time of those profiles together. */
  readonly seconds: number;
}

/** The HTTP requests that the values of a range are divided by. */
export interface Traffic {
  /** The sum over all instances. */
  readonly requests: number;
  /** Of one instance: while the profiler ran, or in the minutes with requests if the profiles are snapshots. */
  readonly requestsPerSecond: number;
  /** Requests of all instances that were counted while the profiler ran; 0 if the profiles are snapshots. */
  readonly requestsInProfiles: number;
  readonly meanResponseSeconds: number;
}

/** The requests of a service, or of one of its routes, while its profiles of a range were taken; undefined without requests. */
export async function readTraffic(
  columns: Columns,
  range: Range,
  route: HttpRoute = everyRoute,
): Promise<Traffic | undefined> {
  const counted = await readRequests(columns, { ...range, ...route });
  if (counted === undefined) return undefined;
  const [instances, windows] = await Promise.all([
    readInstances(columns, range),
    columns.query(profiledWindows, range),
  ]);
  const observed = windows.length === 0 ? undefined : await countIn(columns, { ...range, ...route }, windows);
  return trafficOf(counted, instances, observed);
}

/** Undefined without requests. */
async function readRequests(
  columns: Columns,
  range: Range & HttpRoute,
): Promise<ServiceRequests | undefined> {
  const from = new Date(Math.floor(range.from.getTime() / minuteMs) * minuteMs);
  const to = new Date(Math.ceil(range.to.getTime() / minuteMs) * minuteMs);
  const isWhole = range.method === "" && range.path === "";
  const [row] = await columns.query(isWhole ? requestsInRange : requestsOfRoute, { ...range, from, to });
  return row === undefined || row.requests === 0 ? undefined : row;
}

/**
 * How many instances sent profiles at the same time: the mean over the quarters of an hour with profiles. Profiles without an
 * instance's tag are of one instance if all their tags but `file`, the name of an opened file, are equal. Undefined without profiles.
 */
export async function readInstances(columns: Columns, range: Range): Promise<number | undefined> {
  const [row] = await columns.query(instancesInRange, { ...range, instanceTags: [...instanceTags] });
  return row === undefined || row.instances === 0 ? undefined : row.instances;
}

async function countIn(
  columns: Columns,
  { orgId, service, method, path }: Range & HttpRoute,
  windows: readonly Window[],
): Promise<ObservedRequests> {
  const fromMs = windows.map((window) => window.fromMs);
  const toMs = windows.map((window) => window.toMs);
  const [row] = await columns.query(requestsInWindows, {
    orgId,
    service,
    method,
    path,
    from: new Date(Math.min(...fromMs)),
    to: new Date(Math.max(...toMs)),
    fromMs,
    toMs,
    minutes: minutesOf(windows),
  });
  const lengthMs = windows.reduce((sum, window) => sum + window.toMs - window.fromMs, 0);
  return { requests: row?.requests ?? 0, seconds: lengthMs / 1000 };
}

/** The minutes, as Unix seconds, that the windows touch. */
function minutesOf(windows: readonly Window[]): number[] {
  const minutes = new Set<number>();
  for (const { fromMs, toMs } of windows) {
    for (let at = Math.floor(fromMs / minuteMs); at * minuteMs < toMs; at++) minutes.add(at * 60);
  }
  return [...minutes];
}

/**
 * @param instances undefined counts as one
 * @param observed undefined if the profiles are snapshots, or if there are none
 */
export function trafficOf(
  { requests, minutes, durationSeconds }: ServiceRequests,
  instances = 1,
  observed: ObservedRequests | undefined,
): Traffic {
  const { requests: seen, seconds } = observed ?? { requests, seconds: minutes * 60 };
  return {
    requests,
    requestsPerSecond: seen / seconds / instances,
    requestsInProfiles: observed?.requests ?? 0,
    meanResponseSeconds: durationSeconds / requests,
  };
}

/** Sample type of CPU profiles. */
export const cpuTime = "cpu/nanoseconds";

/** The profiles whose values are divided by requests. */
export interface ProfiledTime {
  /** Sum over the profiles; 0 for snapshots. */
  readonly durationMs: number;
  /** CPU time in them; undefined of other profile types. */
  readonly cpuNs: number | undefined;
}

/** How many requests were answered while the profiler ran. `reason` is a clause, without a capital and a full stop. */
export type ProfiledRequests =
  | { readonly ok: true; readonly requests: number }
  | { readonly ok: false; readonly reason: string };

/** A rate from fewer requests is mostly chance. */
const requestsMin = 20;
/** A request can take more CPU time than it takes to answer, through garbage collection and goroutines in parallel: a few times, not more. */
const cpuPerResponseMax = 4;

/**
 * The requests that were answered while the profiler ran. Values per request that contradict the measured response times
 * are refused: if each request seems to take much more CPU time than its response took, then most requests were not counted, or most
 * of the CPU time was not spent on them.
 */
export function profiledRequests(traffic: Traffic, { durationMs, cpuNs }: ProfiledTime): ProfiledRequests {
  // Never more than all requests: tags may not tell instances apart.
  const requests = Math.min(traffic.requests, (traffic.requestsPerSecond * durationMs) / 1000);
  if (durationMs > 0 && traffic.requestsInProfiles < requestsMin) {
    return { ok: false, reason: "too few requests while the profiles were taken" };
  }
  if (cpuNs !== undefined && cpuNs / 1e9 > cpuPerResponseMax * requests * traffic.meanResponseSeconds) {
    return {
      ok: false,
      reason: `the CPU time is more than ${cpuPerResponseMax} times the total response time of the counted requests, so most of it is other work`,
    };
  }
  return { ok: true, requests };
}

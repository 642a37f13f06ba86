import { dayMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import { instancesMin } from "#alerts/detect/opening/side-by-side.ts";
import { cellMs, learntDays } from "#alerts/detect/series/scales.ts";
import { cellSeries, emptySeries, type Series, type Span, toSeries } from "#alerts/detect/series/series.ts";
import {
  errorRateMin,
  evidenceType,
  type HttpSignal,
  httpCells,
  httpSampleType,
  httpSignals,
  routesMax,
} from "#alerts/detect/watched/http-signals.ts";
import { isMainSeries, measureOf } from "#alerts/detect/watched/measure.ts";
import type { Instance, Observed, ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { parkedFunctions } from "#alerts/evaluate/parked-functions.ts";
import type { Context } from "#context";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import { type HistoryCache, renewHistories } from "./history-cache.ts";
import { getMeasured, seriesName } from "./measured.ts";
import { instanceCells, points, releases, requestMinutes } from "./queries.ts";

/**
 * Reads every series of the organization: its profiles and requests from the span on, and the weeks before as cells,
 * which are cached from round to round.
 */
export async function observeSeries(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  span: Span,
): Promise<ObservedSeries[]> {
  const recent = { orgId, fromMs: cache.startOf(span), toMs: span.toMs };
  const measured = await getMeasured(ctx, orgId, recent);
  const [rows, requests, released, parts] = await Promise.all([
    ctx.columns.query(points, { ...recent, ...measured, parked: [...parkedFunctions] }),
    ctx.columns.query(requestMinutes, recent),
    ctx.columns.query(releases, { ...recent, names: [...versionTags] }),
    ctx.columns.query(instanceCells, { ...recent, ...measured, ...instanceParams, services: [] }),
  ]);
  const all: ObservedSeries[] = [];
  const byService = Map.groupBy(rows, ({ service }) => service);
  const releasesByService = new Map(released.map(({ service, at }) => [service, at]));
  const instancesBySeries = Map.groupBy(parts, seriesKey);
  const counted = new Map(requests.map((row) => [row.service, row]));
  const services = [...new Set([...byService.keys(), ...counted.keys()])];
  cache.keepOnly(new Set(services));
  await renewHistories(ctx, orgId, cache, { services, toMs: recent.fromMs, measured });
  for (const [service, ofService] of byService) {
    const before = cache.services.get(service)!;
    const requestSeries = toSeries(pointsOf(counted.get(service)), { history: before.requests });
    const series = ofService.map((row) => {
      const { riseMin, kind, isFault } = measureOf(row.type, row.sampleType);
      const history = before.values.get(seriesName(row)) ?? emptySeries;
      return {
        ...row,
        riseMin,
        isGauge: kind === "gauge",
        isFault,
        values: toSeries(pointsOf(row), { floor: riseMin, history }),
      };
    });
    for (const { type, sampleType, values, isGauge, riseMin, isFault } of series) {
      const siblings = series
        .filter((other) => other.type !== type && isMainSeries(other))
        .map((other) => other.values);
      const observed: Observed = {
        values,
        requests: requestSeries,
        siblings,
        isGauge,
        isFault,
        riseMin,
        releasedMs: releasesByService.get(service) ?? [],
        noise: cache.noiseOf(service, type, sampleType),
        instances: (instancesBySeries.get(seriesKey({ service, type, sampleType })) ?? []).map(toInstance),
      };
      all.push({ service, type, sampleType, observed });
    }
  }
  const called = new Map(
    [...counted.keys()].map((service) => [service, releasesByService.get(service) ?? []]),
  );
  return [...all, ...(await observeHttp(ctx, orgId, cache, recent, called))];
}

const instanceParams = {
  cellMs,
  instancesMin,
  instanceTags: [...instanceTags],
  versionTags: [...versionTags],
};

function toInstance(part: (typeof instanceCells)["row"]["_output"]): Instance {
  return { name: part.instance, version: part.version, values: cellSeries(part) };
}

/** The series with the weeks of its instances, where it has only their last hours. */
export async function withInstanceWeeks(
  ctx: Context,
  orgId: string,
  series: ObservedSeries,
  toMs: number,
): Promise<ObservedSeries> {
  const { service, type, observed } = series;
  const name = seriesName(series);
  const rows = await ctx.columns.query(instanceCells, {
    orgId,
    fromMs: toMs - learntDays * dayMs,
    toMs,
    ...instanceParams,
    services: [service],
    totalsOf: [type],
    watched: [name],
    gauges: observed.isGauge ? [name] : [],
    floors: [observed.riseMin],
  });
  return { ...series, observed: { ...observed, instances: rows.map(toInstance) } };
}

/** Names of services and types may hold any character. */
function seriesKey({ service, type, sampleType }: Omit<ObservedSeries, "observed">): string {
  return JSON.stringify([service, type, sampleType]);
}

function pointsOf(row: { readonly at: readonly number[]; readonly value: readonly number[] } | undefined) {
  return row?.at.map((ms, index): [number, number] => [ms, row.value[index]!]) ?? [];
}

/**
 * One row for each of the busiest routes: the middle of each cell with enough requests, its p95 in seconds from
 * the histograms of minutes (the middle of the bin), and its fraction of requests with status 5xx. `routesMax` counts for
 * each of the `services`.
 */
const routePoints = query({
  name: "alerts.route-points",
  hasWideRows: true,
  sql: `SELECT service, concat(method, ' ', path) AS route, groupArray(cell + intDiv({cellMs:Int64}, 2)) AS at,
          groupArray(p95) AS p95s, groupArray(rate) AS errorRates
        FROM (
          SELECT service, method, path, cell, sum(held) AS requests, toFloat64(sumIf(held, status_class = 5)) / requests AS rate,
            quantileExactWeighted(0.95)(bin, held) AS p95_bin, if(p95_bin = -32768, 0., 2 * pow(1.02, p95_bin) / 2.02) AS p95
          FROM (
            SELECT service, method, path, status_class, durations.1 AS bins, durations.2 AS counts,
              intDiv(toInt64(toUnixTimestamp(minute)) * 1000, {cellMs:Int64}) * {cellMs:Int64} AS cell
            FROM http_totals_1m
            WHERE org_id = {orgId:UUID} AND service IN {services:Array(String)}
              AND minute >= fromUnixTimestamp64Milli({fromMs:Int64}, 'UTC')
              AND minute < fromUnixTimestamp64Milli({toMs:Int64}, 'UTC')
          )
          ARRAY JOIN bins AS bin, counts AS held
          GROUP BY service, method, path, cell
          HAVING requests >= {requestsMin:UInt32} AND cell + {cellMs:Int64} <= {toMs:Int64}
        )
        GROUP BY service, route
        ORDER BY sum(requests) DESC, route
        LIMIT {routesMax:UInt32} BY service`,
  params: z.object({
    orgId: z.uuid(),
    services: z.array(z.string()),
    fromMs: z.int(),
    toMs: z.int(),
    cellMs: z.int(),
    requestsMin: z.int(),
    routesMax: z.int(),
  }),
  row: z.object({
    service: z.string(),
    route: z.string(),
    at: z.array(Count),
    p95s: z.array(z.number()),
    errorRates: z.array(z.number()),
  }),
});
type RouteRow = (typeof routePoints)["row"]["_output"];

const read = { ...httpCells, routesMax };

/**
 * Reads the signals of the busiest routes of services with requests. Their alerts lead to CPU profiles, if there are some.
 * Neither requests nor other series explain that a route is slower or fails.
 */
async function observeHttp(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  recent: Span,
  services: ReadonlyMap<string, readonly number[]>,
): Promise<ObservedSeries[]> {
  if (services.size === 0) return [];
  const rows = await ctx.columns.query(routePoints, {
    ...read,
    orgId,
    services: [...services.keys()],
    fromMs: recent.fromMs,
    toMs: recent.toMs,
  });
  const all: ObservedSeries[] = [];
  for (const service of new Set(rows.map((row) => row.service))) {
    const past = await readRouteHistory(ctx, orgId, cache, { service, toMs: recent.fromMs });
    for (const row of rows.filter((each) => each.service === service)) {
      for (const signal of Object.keys(httpSignals) as HttpSignal[]) {
        const sampleType = httpSampleType(signal, row.route);
        const history = past.get(sampleType) ?? emptySeries;
        all.push({
          service,
          type: evidenceType,
          sampleType,
          observed: {
            values: signalSeries(signal, row, history),
            requests: emptySeries,
            siblings: [],
            isGauge: false,
            riseMin: httpSignals[signal].riseMin,
            releasedMs: services.get(service) ?? [],
            noise: cache.noiseOf(service, evidenceType, sampleType),
            instances: [],
          },
        });
      }
    }
  }
  return all;
}

/** The weeks before by sample type, cached as the weeks of profiles are. */
async function readRouteHistory(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  { service, toMs }: { readonly service: string; readonly toMs: number },
): Promise<ReadonlyMap<string, Series>> {
  const existing = cache.routes.get(service);
  if (existing?.toMs === toMs) return existing.values;
  const range = { fromMs: toMs - learntDays * dayMs, toMs };
  const rows = await ctx.columns.query(routePoints, { ...read, ...range, orgId, services: [service] });
  const values = new Map<string, Series>();
  for (const row of rows)
    for (const signal of Object.keys(httpSignals) as HttpSignal[])
      values.set(httpSampleType(signal, row.route), signalSeries(signal, row));
  cache.routes.set(service, { toMs, values });
  return values;
}

function signalSeries(signal: HttpSignal, row: RouteRow, history: Series = emptySeries): Series {
  const values =
    signal === "http_p95" ? row.p95s : row.errorRates.map((rate) => Math.max(rate, errorRateMin));
  const points = row.at.map((ms, index): [number, number] => [ms, values[index]!]);
  return toSeries(points, { floor: httpSignals[signal].riseMin, history });
}

import { dayMs } from "@flamekeep/contract/durations";
import {
  errorRateMin,
  evidenceType,
  type HttpSignal,
  httpCells,
  httpSampleType,
  httpSignals,
  routesMax,
} from "#alerts/detect/http-signals.ts";
import type { ObservedSeries } from "#alerts/detect/observed.ts";
import { learntDays } from "#alerts/detect/series/scales.ts";
import { emptySeries, type Series, type Span, toSeries } from "#alerts/detect/series/series.ts";
import type { Context } from "#context";
import type { HistoryCache } from "./history-cache.ts";
import { type RouteRow, routePoints } from "./http-queries.ts";

const read = { ...httpCells, routesMax };

/**
 * Reads the signals of the busiest routes of services with CPU profiles, which are the evidence of their alerts.
 * Neither requests nor other series explain that a route is slower or fails.
 */
export async function observeHttp(
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

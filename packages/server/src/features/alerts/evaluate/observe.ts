import { evidenceType } from "#alerts/detect/http-signals.ts";
import { isMainSeries, measureOf } from "#alerts/detect/measure.ts";
import type { Observed, ObservedSeries } from "#alerts/detect/observed.ts";
import { instancesMin } from "#alerts/detect/opening/side-by-side.ts";
import { cellMs } from "#alerts/detect/series/scales.ts";
import { cellSeries, emptySeries, type Span, toSeries } from "#alerts/detect/series/series.ts";
import { parkedFunctions } from "#alerts/evaluate/parked-functions.ts";
import type { Context } from "#context";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import { type HistoryCache, renewHistories } from "./history-cache.ts";
import { getMeasured, seriesName } from "./measured.ts";
import { observeHttp } from "./observe-http.ts";
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
    ctx.columns.query(instanceCells, {
      ...recent,
      ...measured,
      cellMs,
      instancesMin,
      instanceTags: [...instanceTags],
      versionTags: [...versionTags],
    }),
  ]);
  const all: ObservedSeries[] = [];
  const byService = Map.groupBy(rows, ({ service }) => service);
  const releasesByService = new Map(released.map(({ service, at }) => [service, at]));
  const instancesBySeries = Map.groupBy(parts, seriesKey);
  const services = [...byService.keys()];
  cache.keepOnly(new Set(services));
  await renewHistories(ctx, orgId, cache, { services, toMs: recent.fromMs, measured });
  for (const [service, ofService] of byService) {
    const before = cache.services.get(service)!;
    const counted = requests.find((row) => row.service === service);
    const requestSeries = toSeries(pointsOf(counted), { history: before.requests });
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
        instances: (instancesBySeries.get(seriesKey({ service, type, sampleType })) ?? []).map((part) => ({
          name: part.instance,
          version: part.version,
          values: cellSeries(part),
        })),
      };
      all.push({ service, type, sampleType, observed });
    }
  }
  const withCpu = new Map(
    rows
      .filter(({ type }) => type === evidenceType)
      .map(({ service }) => [service, releasesByService.get(service) ?? []]),
  );
  return [...all, ...(await observeHttp(ctx, orgId, cache, recent, withCpu))];
}

/** Names of services and types may hold any character. */
function seriesKey({ service, type, sampleType }: Omit<ObservedSeries, "observed">): string {
  return JSON.stringify([service, type, sampleType]);
}

function pointsOf(row: { readonly at: readonly number[]; readonly value: readonly number[] } | undefined) {
  return row?.at.map((ms, index): [number, number] => [ms, row.value[index]!]) ?? [];
}

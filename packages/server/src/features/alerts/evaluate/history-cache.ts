import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { NoiseCache } from "#alerts/detect/noise/noise-cache.ts";
import { cellMs, learntDays } from "#alerts/detect/series/scales.ts";
import { cellSeries, emptySeries, type Series, type Span } from "#alerts/detect/series/series.ts";
import type { Context } from "#context";
import { type Measured, seriesName } from "./measured.ts";
import { pastCells, pastRequests } from "./queries.ts";

/** The past is read again after this time. */
const blockMs = 6 * hourMs;

interface RouteHistory {
  readonly toMs: number;
  /** By sample type. */
  readonly values: ReadonlyMap<string, Series>;
}

interface ServiceHistory {
  readonly toMs: number;
  /** By `seriesName`. */
  readonly values: ReadonlyMap<string, Series>;
  readonly requests: Series;
}

/**
 * The weeks before, and the learnt noise, of the services of one organization. Only a copy of stored profiles:
 * another process, or this one after a restart, reads it again and decides the same.
 */
export class HistoryCache {
  /** By service. */
  readonly services = new Map<string, ServiceHistory>();
  readonly routes = new Map<string, RouteHistory>();
  /** Until when services were judged while others wait for the next round: the stored progress is that of all. */
  readonly judgedTo = new Map<string, number>();
  readonly #noise = new Map<string, NoiseCache>();

  /** Where recent profiles begin: the cells end there. */
  startOf({ fromMs }: Span): number {
    return Math.floor(fromMs / blockMs) * blockMs;
  }

  noiseOf(...series: readonly [service: string, type: string, sampleType: string]): NoiseCache {
    const key = JSON.stringify(series);
    const found = this.#noise.get(key) ?? new NoiseCache(key);
    this.#noise.set(key, found);
    return found;
  }

  /** Forgets services that send nothing any more. */
  keepOnly(services: ReadonlySet<string>): void {
    for (const histories of [this.services, this.routes])
      for (const service of histories.keys()) if (!services.has(service)) histories.delete(service);
    for (const key of this.#noise.keys()) {
      const [service] = JSON.parse(key) as [string];
      if (!services.has(service)) this.#noise.delete(key);
    }
  }
}

interface HistoryRange {
  readonly service: string;
  readonly toMs: number;
  readonly measured: Measured;
}

/** The weeks of a service before this time, as cells. */
export async function readHistory(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  { service, toMs, measured }: HistoryRange,
): Promise<ServiceHistory> {
  const existing = cache.services.get(service);
  if (existing?.toMs === toMs) return existing;
  const range = { orgId, service, fromMs: toMs - learntDays * dayMs, toMs, cellMs };
  const rows = await ctx.columns.query(pastCells, { ...range, ...measured });
  const [requests] = await ctx.columns.query(pastRequests, range);
  const read: ServiceHistory = {
    toMs,
    values: new Map(rows.map((row) => [seriesName(row), cellSeries(row)])),
    requests: requests === undefined ? emptySeries : cellSeries(requests),
  };
  cache.services.set(service, read);
  return read;
}

const caches = new WeakMap<Context["columns"], Map<string, HistoryCache>>();

export function historyCacheOf({ columns }: Context, orgId: string): HistoryCache {
  const ofStore = caches.get(columns) ?? new Map<string, HistoryCache>();
  caches.set(columns, ofStore);
  const found = ofStore.get(orgId) ?? new HistoryCache();
  ofStore.set(orgId, found);
  return found;
}

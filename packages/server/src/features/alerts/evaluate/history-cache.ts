import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { NoiseCache } from "#alerts/detect/noise-cache.ts";
import { cellMs, learntDays } from "#alerts/detect/scales.ts";
import { cellSeries, emptySeries, type Series, type Span } from "#alerts/detect/series.ts";
import type { Context } from "#context";
import { type Measured, seriesName } from "./measured.ts";
import { pastCells, pastRequests } from "./queries.ts";

/** The past is read again after this time. */
const blockMs = 6 * hourMs;

interface PastRoutes {
  readonly toMs: number;
  /** By sample type. */
  readonly values: ReadonlyMap<string, Series>;
}

interface Past {
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
  readonly #past = new Map<string, Past>();
  readonly #routes = new Map<string, PastRoutes>();
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
    for (const kept of [this.#past, this.#routes])
      for (const service of kept.keys()) if (!services.has(service)) kept.delete(service);
    for (const key of this.#noise.keys()) {
      const [service] = JSON.parse(key) as [string];
      if (!services.has(service)) this.#noise.delete(key);
    }
  }

  getPast(service: string): Past | undefined {
    return this.#past.get(service);
  }

  storePast(service: string, past: Past): void {
    this.#past.set(service, past);
  }

  getPastRoutes(service: string): PastRoutes | undefined {
    return this.#routes.get(service);
  }

  storePastRoutes(service: string, past: PastRoutes): void {
    this.#routes.set(service, past);
  }
}

interface PastRange {
  readonly service: string;
  readonly toMs: number;
  readonly measured: Measured;
}

/** The cells of a service before this time. */
export async function past(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  { service, toMs, measured }: PastRange,
): Promise<Past> {
  const existing = cache.getPast(service);
  if (existing?.toMs === toMs) return existing;
  const range = { orgId, service, fromMs: toMs - learntDays * dayMs, toMs, cellMs };
  const rows = await ctx.columns.query(pastCells, { ...range, ...measured });
  const [requests] = await ctx.columns.query(pastRequests, range);
  const read: Past = {
    toMs,
    values: new Map(rows.map((row) => [seriesName(row), cellSeries(row)])),
    requests: requests === undefined ? emptySeries : cellSeries(requests),
  };
  cache.storePast(service, read);
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

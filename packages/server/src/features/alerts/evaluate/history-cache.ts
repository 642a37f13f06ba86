import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { NoiseCache } from "#alerts/detect/noise/noise-cache.ts";
import { cellMs, learntDays } from "#alerts/detect/series/scales.ts";
import { cellSeries, emptySeries, type Series, type Span } from "#alerts/detect/series/series.ts";
import type { Context } from "#context";
import { type Measured, seriesName } from "./measured.ts";
import { pastCells, pastRequests, storedProfiles } from "./queries.ts";

/** The past is read again after this time. */
const blockMs = 6 * hourMs;
/** A profile that arrives later than this after its start was sent late. */
export const lateMs = 15 * minuteMs;
/**
 * A history is outdated when more than this fraction of its profiles arrived after it was read. Services that always send some late
 * would otherwise be read and learnt again in each round.
 */
const lateFractionMax = 0.001;

interface RouteHistory {
  readonly toMs: number;
  /** By sample type. */
  readonly values: ReadonlyMap<string, Series>;
}

interface ServiceHistory {
  readonly toMs: number;
  readonly stored: StoredProfiles;
  /** By `seriesName`. */
  readonly values: ReadonlyMap<string, Series>;
  readonly requests: Series;
}

/** How many profiles of each type there were when a history was read. */
interface StoredProfiles extends Span {
  readonly byType: ReadonlyMap<string, number>;
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
    this.#forget((service) => !services.has(service));
  }

  /** Forgets the history and the noise of a service whose history is outdated. */
  forget(outdated: string): void {
    this.#forget((service) => service === outdated);
  }

  #forget(isForgotten: (service: string) => boolean): void {
    for (const histories of [this.services, this.routes])
      for (const service of histories.keys()) if (isForgotten(service)) histories.delete(service);
    for (const key of this.#noise.keys()) {
      const [service] = JSON.parse(key) as [string];
      if (isForgotten(service)) this.#noise.delete(key);
    }
  }
}

interface HistoryRange {
  readonly service: string;
  readonly toMs: number;
  readonly measured: Measured;
  readonly stored: StoredProfiles;
}

/** The weeks of a service before this time, as cells. */
async function readHistory(
  ctx: Context,
  orgId: string,
  { service, toMs, measured, stored }: HistoryRange,
): Promise<ServiceHistory> {
  const range = { orgId, service, fromMs: historyFromMs(toMs), toMs, cellMs };
  const rows = await ctx.columns.query(pastCells, { ...range, ...measured });
  const [requests] = await ctx.columns.query(pastRequests, range);
  return {
    toMs,
    stored,
    values: new Map(rows.map((row) => [seriesName(row), cellSeries(row)])),
    requests: requests === undefined ? emptySeries : cellSeries(requests),
  };
}

function historyFromMs(toMs: number): number {
  return toMs - learntDays * dayMs;
}

/** Reads the weeks before this time of the services whose histories end at another time. */
export async function renewHistories(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  { services, toMs, measured }: { services: readonly string[]; toMs: number; measured: Measured },
): Promise<void> {
  const due = services.filter((service) => cache.services.get(service)?.toMs !== toMs);
  if (due.length === 0) return;
  for (const service of await outdatedServices(ctx, orgId, cache, due)) cache.forget(service);
  const span = { fromMs: historyFromMs(toMs), toMs: ctx.now().getTime() - lateMs };
  // Counted first: profiles that arrive while the others are read make the history outdated.
  const stored = await countStored(ctx, orgId, due, span);
  for (const service of due) {
    const range = { service, toMs, measured, stored: { ...span, byType: stored.get(service) ?? new Map() } };
    cache.services.set(service, await readHistory(ctx, orgId, range));
  }
}

/** The services for which so many profiles arrived late, or were removed, that their history is another one. */
export async function outdatedServices(
  ctx: Context,
  orgId: string,
  cache: HistoryCache,
  services: readonly string[],
): Promise<string[]> {
  const read = services.flatMap((service) => {
    const stored = cache.services.get(service)?.stored;
    return stored === undefined ? [] : [{ service, ...stored }];
  });
  const outdated: string[] = [];
  // Histories that were read in one round have the same span.
  for (const same of Map.groupBy(read, ({ fromMs, toMs }) => `${fromMs} ${toMs}`).values()) {
    const names = same.map(({ service }) => service);
    const found = await countStored(ctx, orgId, names, same[0]!);
    for (const { service, byType } of same)
      if (isOther(byType, found.get(service) ?? new Map())) outdated.push(service);
  }
  return outdated;
}

function isOther(before: ReadonlyMap<string, number>, after: ReadonlyMap<string, number>): boolean {
  return [...new Set([...before.keys(), ...after.keys()])].some((type) => {
    const [counted, found] = [before.get(type) ?? 0, after.get(type) ?? 0];
    return Math.abs(found - counted) > counted * lateFractionMax;
  });
}

/** By service and type. */
async function countStored(
  ctx: Context,
  orgId: string,
  services: readonly string[],
  { fromMs, toMs }: Span,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const params = { orgId, services: [...services], fromMs, toMs };
  const rows = await ctx.columns.query(storedProfiles, params);
  const byService = Map.groupBy(rows, ({ service }) => service);
  return new Map(
    [...byService].map(([service, types]) => [
      service,
      new Map(types.map(({ type, profiles }) => [type, profiles])),
    ]),
  );
}

const caches = new WeakMap<Context["columns"], Map<string, HistoryCache>>();

export function historyCacheOf({ columns }: Context, orgId: string): HistoryCache {
  const ofStore = caches.get(columns) ?? new Map<string, HistoryCache>();
  caches.set(columns, ofStore);
  const found = ofStore.get(orgId) ?? new HistoryCache();
  ofStore.set(orgId, found);
  return found;
}

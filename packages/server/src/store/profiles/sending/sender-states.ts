import { limits } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { z } from "zod";
import type { ColumnStore } from "#store/column/column-store.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { LruCache } from "#store/lru.ts";
import { type ServiceTotals, type ServiceTypeRow, totalsOfServices } from "#store/profiles/service-totals.ts";
import {
  rhythmOf,
  type SentMinutes,
  type ServiceState,
  serviceStateOf,
  silenceMsOf,
  type TypeState,
} from "./silence.ts";

export interface SenderService extends ServiceState {
  readonly service: string;
  readonly types: readonly TypeState[];
}

/** The rhythm of a type until its latest profile, and when that arrived. */
interface Past {
  /** Start of the latest profile. */
  readonly latestMs: number;
  readonly intervalMs: number;
  readonly isRegular: boolean;
  readonly receivedMs: number;
}

/** By service and type. */
type PastsOfServices = Map<string, Map<string, Past>>;

interface Moment {
  readonly nowMs: number;
  /** At most now. */
  readonly listeningMs: number;
}

interface KeptSender {
  readonly sender: SenderService;
  readonly listeningMs: number;
  readonly fromMs: number;
  /** The last moment before one of its types may have another state. */
  readonly untilMs: number;
}

interface Parts {
  readonly columns: Pick<ColumnStore, "query" | "profileTotals">;
  readonly now: () => Date;
  readonly startedAt: Date;
}

interface StatesOptions {
  /** None for all. */
  readonly services?: readonly string[];
  /** Since when uploads could arrive without interruption: nothing is silent because the server was away. */
  readonly listeningMs?: number;
}

/** A type that sent in this time is not looked at more closely. */
const currentMs = 10 * minuteMs;
/** A row of a query has a day of minutes. */
const seriesPerQuery = 200;
/** Services, of all organizations: each has a few types of about 150 bytes. */
const servicesKept = 50_000;
/** Profiles of an import have many starts and arrive together: their sender was not regular. */
const arrivalMsMin = hourMs;

/**
 * Which services send, and which stopped. Only types without a profile in the last minutes are looked at, and each of them once: what
 * came before the latest profile stays the same.
 */
export class SenderStates {
  readonly #parts: Parts;
  /** By organization: thousands of services are looked up at once. */
  readonly #pasts = new LruCache<PastsOfServices>(servicesKept);
  /** For as long as no profile of the organization arrives. */
  readonly #senders = new WeakMap<ServiceTotals, KeptSender>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * All services of the last days, or some.
   */
  async read(
    orgId: string,
    { services = [], listeningMs = this.#parts.startedAt.getTime() }: StatesOptions = {},
  ): Promise<SenderService[]> {
    const now = this.#parts.now();
    const nowMs = now.getTime();
    const fromMs = Math.floor((nowMs - limits.sendersDays * dayMs) / minuteMs) * minuteMs;
    // Clocks of senders may be ahead.
    const toMs = Math.floor((nowMs + dayMs) / minuteMs) * minuteMs;
    const service = services.length === 1 ? services[0] : "";
    const totals = await totalsOfServices(this.#parts.columns, { orgId, fromMs, toMs, now }, service);
    const named = [...new Set(services)].flatMap((name) => totals.byName.get(name) ?? []);
    const listed = services.length === 0 ? totals.services : named;
    const at = { nowMs, listeningMs: Math.min(listeningMs, nowMs) };
    const kept = listed.map((each) => this.#keptAt(each, at));
    const changing = listed.filter((_, index) => kept[index] === undefined);
    const old = changing.flatMap(({ types }) => types.filter((row) => !isRecent(row, at)));
    const pasts = await this.#pastsOf(orgId, old, fromMs);
    return listed.map((each, index) => kept[index] ?? this.#keep(each, pasts, at));
  }

  #keptAt(totals: ServiceTotals, { nowMs, listeningMs }: Moment): SenderService | undefined {
    const kept = this.#senders.get(totals);
    if (kept === undefined || kept.listeningMs !== listeningMs) return undefined;
    return nowMs >= kept.fromMs && nowMs <= kept.untilMs ? kept.sender : undefined;
  }

  #keep(totals: ServiceTotals, pasts: ReadonlyMap<ServiceTypeRow, Past>, at: Moment): SenderService {
    const types = totals.types.map((row) => typeStateOf(row, pasts.get(row), at));
    const sender = { service: totals.service, types, ...serviceStateOf(types) };
    const ends = totals.types.flatMap((row) => endsOf(row, pasts.get(row), at));
    const untilMs = Math.min(...ends.filter((ms) => ms >= at.nowMs));
    this.#senders.set(totals, { sender, listeningMs: at.listeningMs, fromMs: at.nowMs, untilMs });
    return sender;
  }

  async #pastsOf(
    orgId: string,
    rows: readonly ServiceTypeRow[],
    fromMs: number,
  ): Promise<Map<ServiceTypeRow, Past>> {
    const kept = this.#pasts.get(orgId);
    const pasts = new Map<ServiceTypeRow, Past>();
    const unknown: ServiceTypeRow[] = [];
    for (const row of rows) {
      const past = kept?.get(row.service)?.get(row.type);
      if (past?.latestMs === row.latestMs) pasts.set(row, past);
      else unknown.push(row);
    }
    if (unknown.length === 0) return pasts;
    // Neighbours in time, so that a query reads few days of profiles.
    unknown.sort((a, b) => b.latestMs - a.latestMs);
    for (let at = 0; at < unknown.length; at += seriesPerQuery) {
      const some = unknown.slice(at, at + seriesPerQuery);
      for (const [row, past] of await this.#readPasts(orgId, some, fromMs)) pasts.set(row, past);
    }
    this.#keepPasts(orgId, pasts);
    return pasts;
  }

  #keepPasts(orgId: string, pasts: ReadonlyMap<ServiceTypeRow, Past>): void {
    const services: PastsOfServices = this.#pasts.get(orgId) ?? new Map();
    for (const [{ service, type }, past] of pasts) {
      const types = services.get(service) ?? new Map<string, Past>();
      services.set(service, types.set(type, past));
    }
    this.#pasts.set(orgId, services, services.size);
  }

  async #readPasts(
    orgId: string,
    rows: readonly ServiceTypeRow[],
    fromMs: number,
  ): Promise<[ServiceTypeRow, Past][]> {
    const { columns } = this.#parts;
    const series = { orgId, services: rows.map((row) => row.service), types: rows.map((row) => row.type) };
    const earliestMs = Math.min(...rows.map(({ latestMs }) => latestMs));
    const [minutes, arrivals] = await Promise.all([
      columns.query(minutesOfSeries, { ...series, sinceSeconds: fromMs / 1000 }),
      columns.query(arrivalsOfSeries, { ...series, sinceMs: earliestMs - dayMs }),
    ]);
    const keyOf = ({ service, type }: { readonly service: string; readonly type: string }) =>
      JSON.stringify([service, type]);
    const minutesBy = new Map(minutes.map((row) => [keyOf(row), row]));
    const arrivalsBy = new Map(arrivals.map((row) => [keyOf(row), row]));
    return rows.map((row) => {
      const sent: SentMinutes = minutesBy.get(keyOf(row)) ?? { minutes: [], hours: [] };
      const arrival = arrivalsBy.get(keyOf(row));
      const { intervalMs, isRegular } = rhythmOf(sent);
      const arrivedMs = arrival === undefined ? 0 : arrival.lastMs - arrival.firstMs;
      const receivedMs = arrival?.lastMs ?? row.latestMs;
      return [
        row,
        { latestMs: row.latestMs, intervalMs, receivedMs, isRegular: isRegular && arrivedMs >= arrivalMsMin },
      ];
    });
  }
}

function isRecent({ latestMs }: ServiceTypeRow, { nowMs }: Moment): boolean {
  return nowMs - latestMs <= currentMs;
}

/** The last moments of the states that a type may have until its next profile; without `past`, it is recent. */
function endsOf({ latestMs }: ServiceTypeRow, past: Past | undefined, { listeningMs }: Moment): number[] {
  if (past === undefined) return [latestMs + currentMs];
  const silenceMs = silenceMsOf(past.intervalMs);
  return [past.receivedMs + silenceMs, Math.max(past.receivedMs, listeningMs) + silenceMs];
}

function typeStateOf(
  { type, latestMs }: ServiceTypeRow,
  past: Past | undefined,
  { nowMs, listeningMs }: Moment,
): TypeState {
  if (past === undefined) return { type, latestMs, receivedMs: latestMs, intervalMs: null, state: "sending" };
  const { receivedMs, intervalMs, isRegular } = past;
  const silenceMs = silenceMsOf(intervalMs);
  const isSilent = nowMs - Math.max(receivedMs, listeningMs) > silenceMs;
  const isCurrent = nowMs - receivedMs <= silenceMs;
  const state = !isRegular ? "irregular" : isSilent ? "silent" : isCurrent ? "sending" : "irregular";
  return { type, latestMs, receivedMs, intervalMs, state };
}

const Series = z.object({ orgId: z.uuid(), services: z.array(z.string()), types: z.array(z.string()) });

const Numbers = z.array(z.number());

/** Minutes of the last day before the latest profile of each series, and its hours. */
const minutesOfSeries = query({
  name: "senders.minutes",
  sql: `SELECT service, type, arrayFilter(each -> each > sent[-1] - 1440, sent) AS minutes,
          arrayDistinct(arrayMap(each -> intDiv(each, 60), sent)) AS hours
        FROM (
          SELECT service, type, arraySort(groupUniqArray(intDiv(toUnixTimestamp(minute), 60))) AS sent
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND sample_type = ''
            AND service IN {services:Array(String)}
            AND (service, type) IN arrayZip({services:Array(String)}, {types:Array(String)})
            AND minute >= toDateTime({sinceSeconds:UInt32}, 'UTC')
          GROUP BY service, type
        )`,
  params: Series.extend({ sinceSeconds: z.int() }),
  row: z.object({ service: z.string(), type: z.string(), minutes: Numbers, hours: Numbers }),
});

/** When the first and the last profile of each series since a time arrived. */
const arrivalsOfSeries = query({
  name: "senders.arrivals",
  sql: `SELECT service, type, toUnixTimestamp64Milli(min(received_at)) AS firstMs,
          toUnixTimestamp64Milli(max(received_at)) AS lastMs
        FROM profiles
        WHERE org_id = {orgId:UUID}
          AND service IN {services:Array(String)}
          AND (service, type) IN arrayZip({services:Array(String)}, {types:Array(String)})
          AND started_at >= fromUnixTimestamp64Milli({sinceMs:Int64}, 'UTC')
        GROUP BY service, type`,
  params: Series.extend({ sinceMs: z.int() }),
  row: z.object({ service: z.string(), type: z.string(), firstMs: Count, lastMs: Count }),
});

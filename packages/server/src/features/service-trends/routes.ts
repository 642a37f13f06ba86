import { limits, type ServiceTrend, serviceTrends } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#context";
import { invalid } from "#failure";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { pageOf } from "#http/query/page.ts";
import { type Buckets, isoRange, rangeOf, trendBuckets, withRangeBefore } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import {
  healthOf,
  type OpenAlertReads,
  type OpenAlerts,
  openAlertsByService,
} from "#store/profiles/open-alerts.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";
import { sumsOfServices } from "#store/profiles/service-sums.ts";

export function registerServiceTrends(app: FastifyInstance, ctx: TrendsContext): void {
  serve(app, ctx, serviceTrends, getServiceTrends);
}

type CpuRow = z.output<typeof cpuByBucket.row>;

/** With what reads the alerts, which another feature stores. */
interface TrendsContext extends Context {
  readonly senderStates: SenderStates;
  readonly openAlerts: OpenAlertReads;
}

/** CPU over time and open alerts of services. */
const getServiceTrends: Operation<typeof serviceTrends, TrendsContext> = async (ctx, { orgId }, query) => {
  const buckets = trendBuckets(rangeOf(query, ctx.now()));
  const named = [...new Set([query.service ?? []].flat())];
  if (named.length > limits.trendServicesMax)
    throw invalid(
      `At most ${limits.trendServicesMax} services can be named: ask for the others in another call`,
    );
  const [withCpu, alerts, counts, senders] = await Promise.all([
    named.length > 0 ? named : servicesWithCpu(ctx, orgId, buckets),
    ctx.openAlerts.list(orgId, named),
    ctx.openAlerts.count(orgId),
    ctx.senderStates.read(orgId, { services: named }),
  ]);
  const silent = new Map(
    senders.flatMap(({ service, state, sinceMs }) =>
      state === "silent" ? [[service, sinceMs!] as const] : [],
    ),
  );
  const alertsOf = new Map(openAlertsByService(alerts).map((each) => [each.service, each]));
  const names = named.length > 0 ? named : [...new Set([...withCpu, ...alertsOf.keys(), ...silent.keys()])];
  const { page, next } = pageOf(names, (name) => ({ size: 0, name }), query);
  const rows = page.length === 0 ? [] : await readCpu(ctx, { orgId, services: page }, buckets);
  const rowsOf = Map.groupBy(rows, ({ service }) => service);
  const listed = page.filter((name) => [rowsOf, alertsOf, silent].some((each) => each.has(name)));
  return {
    ...isoRange(buckets),
    bucket_seconds: buckets.widthMs / 1000,
    next_cursor: next,
    open_alerts: counts.alerts,
    services_with_alerts: counts.services,
    services: listed.map((name) => ({
      name,
      health: healthOf(alertsOf.get(name)),
      silent_since: isoOrNull(silent.get(name)),
      open_alerts: alertsOf.get(name)?.count ?? 0,
      worst_alert: worstOf(alertsOf.get(name)),
      cpu: toCpu(buckets, rowsOf.get(name) ?? []),
    })),
  };
};

function isoOrNull(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}

function worstOf(alerts: OpenAlerts | undefined): ServiceTrend["worst_alert"] {
  const worst = alerts?.worst;
  return worst === undefined ? null : { profile_type: worst.type, increase: worst.increase };
}

/** In the range or the one before. */
async function servicesWithCpu(ctx: Context, orgId: string, buckets: Buckets): Promise<string[]> {
  const { fromSeconds, toSeconds } = withRangeBefore(buckets);
  const range = { orgId, type: "cpu" as const, cuts: [fromSeconds, toSeconds], now: ctx.now() };
  return (await sumsOfServices(ctx.columns, range)).map(({ service }) => service);
}

interface ServicesOf {
  readonly orgId: string;
  readonly services: string[];
}

/** Reads the present hour apart, so that profiles which arrive leave the cached rows of the hours before valid. */
async function readCpu(ctx: Context, of: ServicesOf, buckets: Buckets): Promise<CpuRow[]> {
  const { fromSeconds: firstSeconds, currentSeconds, toSeconds } = withRangeBefore(buckets);
  const presentHour = hourOf(Math.floor(ctx.now().getTime() / 1000));
  const split = Math.min(Math.max(firstSeconds, presentHour), toSeconds);
  const read = (fromSeconds: number, toSeconds: number) =>
    fromSeconds === toSeconds
      ? []
      : ctx.columns.query(cpuByBucket, {
          ...of,
          currentSeconds,
          fromSeconds,
          toSeconds,
          bucketSeconds: buckets.widthMs / 1000,
        });
  return (await Promise.all([read(firstSeconds, split), read(split, toSeconds)])).flat();
}

function toCpu({ fromMs, widthMs, count }: Buckets, rows: readonly CpuRow[]): ServiceTrend["cpu"] {
  const [before, current] = [new Sum(), new Sum()];
  const sums = Array.from({ length: count }, () => new Sum());
  for (const { starts, totals, durationsNs } of rows) {
    starts.forEach((start, index) => {
      const parts = start === 0 ? [before] : [current, sums[start - fromMs / widthMs]!];
      for (const sum of parts) sum.add(totals[index]!, durationsNs[index]!);
    });
  }
  return { points: sums.map(({ cores }) => cores), current: current.cores, previous: before.cores };
}

class Sum {
  #total = 0;
  #durationNs = 0;

  add(total: number, durationNs: number): void {
    this.#total += total;
    this.#durationNs += durationNs;
  }

  get cores(): number | null {
    return coresOf(this.#total, this.#durationNs);
  }
}

/** A profile without a duration does not say how many cores it used. */
function coresOf(cpuNs: number, durationNs: number): number | null {
  return durationNs === 0 ? null : cpuNs / durationNs;
}

const Figures = z.array(z.number());

/**
 * A row per service: arrays in parallel, one entry per bucket that has CPU profiles, in no order. The whole time before
 * `currentSeconds` is one bucket, which starts at 0.
 */
const cpuByBucket = query({
  name: "service-trends.cpu",
  isCacheable: true,
  sql: `SELECT service, groupArray(start) AS starts, groupArray(total) AS totals, groupArray(lasted) AS durationsNs
        FROM (
          SELECT service, if(minute < toDateTime({currentSeconds:UInt32}, 'UTC'), 0,
              intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32})) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = 'cpu' AND sample_type = 'cpu/nanoseconds'
            AND service IN {services:Array(String)}
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY service, start
        )
        GROUP BY service`,
  params: z.object({
    orgId: z.uuid(),
    services: z.array(z.string()),
    /** Whole minutes as Unix seconds. */
    fromSeconds: z.int(),
    toSeconds: z.int(),
    currentSeconds: z.int(),
    bucketSeconds: z.int(),
  }),
  row: z.object({ service: z.string(), starts: Figures, totals: Figures, durationsNs: Figures }),
});

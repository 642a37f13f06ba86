import { type ServiceTrend, serviceTrends } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import { ProfileType } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import type { Selectable } from "kysely";
import { z } from "zod";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { type Buckets, bucketsOf, isoRange, rangeOf, secondsOf } from "#http/query/time-range.ts";
import { query } from "#store/column/query.ts";
import { hourOf } from "#store/column/utc.ts";
import type { SenderStates } from "#store/profiles/sending/sender-states.ts";
import type { Database } from "#store/row/row-store.ts";

export function registerServiceTrends(app: FastifyInstance, ctx: TrendsContext): void {
  serve(app, ctx, serviceTrends, getServiceTrends);
}

type CpuRow = z.output<typeof cpuByService.row>;

/** With what reads the alerts, which another feature stores. */
interface TrendsContext extends Context {
  readonly senderStates: SenderStates;
  readonly readOpenAlerts: ReadOpenAlerts;
}

/** As many as a line without axes can show. */
const points = 32;

/** CPU over time and open alerts of all services. */
const getServiceTrends: Operation<typeof serviceTrends, TrendsContext> = async (ctx, { orgId }, query) => {
  const range = rangeOf(query, ctx.now());
  const widthMs = Math.ceil((range.toMs - range.fromMs) / points / minuteMs) * minuteMs;
  const buckets = bucketsOf(range, widthMs);
  const [rows, alerts, senders] = await Promise.all([
    readCpu(ctx, orgId, buckets),
    ctx.readOpenAlerts(orgId),
    ctx.senderStates.read(orgId),
  ]);
  const silent = new Map(
    senders.flatMap(({ service, state, sinceMs }) =>
      state === "silent" ? [[service, sinceMs!] as const] : [],
    ),
  );
  const rowsOf = Map.groupBy(rows, ({ service }) => service);
  const alertsOf = new Map(openAlertsByService(alerts).map((each) => [each.service, each]));
  const names = [...new Set([...rowsOf.keys(), ...alertsOf.keys(), ...silent.keys()])].sort();
  return {
    ...isoRange(buckets),
    bucket_seconds: buckets.widthMs / 1000,
    services: names.map((name) => ({
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

function healthOf(alerts: OpenAlerts | undefined): ServiceTrend["health"] {
  if (alerts === undefined) return "healthy";
  return alerts.isCritical ? "critical" : "warning";
}

function worstOf(alerts: OpenAlerts | undefined): ServiceTrend["worst_alert"] {
  const worst = alerts?.worst;
  return worst === undefined ? null : { profile_type: worst.type, increase: worst.increase };
}

/** Reads the present hour apart, so that profiles which arrive leave the cached rows of the hours before valid. */
async function readCpu(ctx: Context, orgId: string, buckets: Buckets): Promise<CpuRow[]> {
  const { fromSeconds: currentSeconds, toSeconds } = secondsOf(buckets);
  const firstSeconds = Math.max(0, 2 * currentSeconds - toSeconds);
  const presentHour = hourOf(Math.floor(ctx.now().getTime() / 1000));
  const split = Math.min(Math.max(firstSeconds, presentHour), toSeconds);
  const read = (fromSeconds: number, toSeconds: number) =>
    fromSeconds === toSeconds
      ? []
      : ctx.columns.query(cpuByService, {
          orgId,
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

type OpenAlert = Pick<
  Selectable<Database["alerts"]>,
  "service" | "type" | "sampleType" | "increase" | "severity"
>;

/** Reads the open alerts of an organization that are not muted. */
type ReadOpenAlerts = (orgId: string) => Promise<readonly OpenAlert[]>;

interface OpenAlerts {
  readonly service: string;
  readonly count: number;
  readonly isCritical: boolean;
  /** The alert about profiles with the largest increase. */
  readonly worst: { readonly type: z.output<typeof ProfileType>; readonly increase: number } | undefined;
}

/** The increase of an alert, as a fraction. */
const criticalIncrease = 0.5;

function openAlertsByService(alerts: readonly OpenAlert[]): OpenAlerts[] {
  const sorted = alerts.toSorted((a, b) => b.increase - a.increase);
  return [...Map.groupBy(sorted, ({ service }) => service)].map(([service, own]) => {
    // Alerts about requests have the type of their evidence, which did not rise.
    // Alerts of rules, which have a severity, are about a threshold.
    const ofProfiles = own.find(
      ({ sampleType, severity }) => severity === null && !sampleType.startsWith("http_"),
    );
    const worst = ofProfiles && {
      type: ProfileType.parse(ofProfiles.type),
      increase: ofProfiles.increase,
    };
    const isCritical = own.some(({ severity, increase }) =>
      severity === null ? increase >= criticalIncrease : severity === "critical",
    );
    return { service, count: own.length, isCritical, worst };
  });
}

const Figures = z.array(z.number());

/**
 * A row per service: arrays in parallel, one entry per bucket that has CPU profiles, in no order. The whole time before
 * `currentSeconds` is one bucket, which starts at 0.
 */
const cpuByService = query({
  name: "service-trends.cpu",
  isCacheable: true,
  sql: `SELECT service, groupArray(start) AS starts, groupArray(total) AS totals, groupArray(lasted) AS durationsNs
        FROM (
          SELECT service, if(minute < toDateTime({currentSeconds:UInt32}, 'UTC'), 0,
              intDiv(toUnixTimestamp(minute), {bucketSeconds:UInt32})) AS start,
            toFloat64(sum(value)) AS total, toFloat64(sum(duration_ns)) AS lasted
          FROM type_totals_1m
          WHERE org_id = {orgId:UUID} AND type = 'cpu' AND sample_type = 'cpu/nanoseconds'
            AND minute >= toDateTime({fromSeconds:UInt32}, 'UTC') AND minute < toDateTime({toSeconds:UInt32}, 'UTC')
          GROUP BY service, start
        )
        GROUP BY service`,
  params: z.object({
    orgId: z.uuid(),
    /** Whole minutes as Unix seconds. */
    fromSeconds: z.int(),
    toSeconds: z.int(),
    currentSeconds: z.int(),
    bucketSeconds: z.int(),
  }),
  row: z.object({ service: z.string(), starts: Figures, totals: Figures, durationsNs: Figures }),
});

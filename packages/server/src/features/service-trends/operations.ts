import type { InputOf, ReplyOf, ServiceTrend, serviceTrends } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { type Buckets, bucketsOf, rangeOf, secondsOf } from "#http/query/time-range.ts";
import { type OpenAlerts, openAlertsByService, type ReadOpenAlerts } from "./open-alerts.ts";
import { cpuByService } from "./queries.ts";

type CpuRow = z.output<typeof cpuByService.row>;

/** With what reads the alerts, which another feature stores. */
export interface TrendsContext extends Context {
  readonly readOpenAlerts: ReadOpenAlerts;
}

/** As many as a line without axes can show. */
const points = 32;

/** CPU over time and open alerts of all services, with one read of each store. */
export async function getServiceTrends(
  ctx: TrendsContext,
  { orgId }: Actor,
  query: InputOf<typeof serviceTrends>,
): Promise<ReplyOf<typeof serviceTrends>> {
  const range = rangeOf(query, ctx.now());
  const widthMs = Math.ceil((range.toMs - range.fromMs) / points / minuteMs) * minuteMs;
  const buckets = bucketsOf(range, widthMs);
  const { fromMs, toMs } = buckets;
  const [rows, alerts] = await Promise.all([
    ctx.columns.query(cpuByService, {
      orgId,
      beforeSeconds: Math.max(0, 2 * fromMs - toMs) / 1000,
      ...secondsOf(buckets),
      bucketSeconds: buckets.widthMs / 1000,
    }),
    ctx.readOpenAlerts(orgId),
  ]);
  const rowOf = new Map(rows.map((row) => [row.service, row]));
  const alertsOf = new Map(openAlertsByService(alerts).map((each) => [each.service, each]));
  const names = [...new Set([...rowOf.keys(), ...alertsOf.keys()])].sort();
  return {
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    bucket_seconds: buckets.widthMs / 1000,
    services: names.map((name) => ({
      name,
      health: healthOf(alertsOf.get(name)),
      open_alerts: alertsOf.get(name)?.count ?? 0,
      worst_alert: worstOf(alertsOf.get(name)),
      cpu: toCpu(buckets, rowOf.get(name)),
    })),
  };
}

function healthOf(alerts: OpenAlerts | undefined): ServiceTrend["health"] {
  if (alerts === undefined) return "healthy";
  return alerts.isCritical ? "critical" : "warning";
}

function worstOf(alerts: OpenAlerts | undefined): ServiceTrend["worst_alert"] {
  const worst = alerts?.worst;
  return worst === undefined ? null : { profile_type: worst.type, increase: worst.increase };
}

function toCpu({ fromMs, widthMs, count }: Buckets, row: CpuRow | undefined): ServiceTrend["cpu"] {
  const values = new Array<number | null>(count).fill(null);
  const [before, current] = [new Sum(), new Sum()];
  row?.starts.forEach((start, index) => {
    const [total, durationNs] = [row.totals[index]!, row.durationsNs[index]!];
    (start === 0 ? before : current).add(total, durationNs);
    if (start !== 0) values[start - fromMs / widthMs] = coresOf(total, durationNs);
  });
  return { points: values, current: current.cores, previous: before.cores };
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

import { limits, serviceMetrics } from "@flamekeep/contract";
import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { Context } from "#context";
import { perMinute } from "#http/endpoint/rate-limit.ts";
import { serve } from "#http/endpoint/serve.ts";
import { FileReply } from "#http/reply/reply.ts";
import { query } from "#store/column/query.ts";
import { Count } from "#store/column/values.ts";
import { instanceTags, versionTags } from "#store/profiles/tag-names.ts";
import { Metrics } from "#telemetry/metrics.ts";

/** Prometheus scrapes four times a minute; some of them may. */
const scrapesPerMinute = 120;
/** Profiles cover up to a minute and arrive after it. */
const windowMs = 5 * minuteMs;

/** For each service, type and version: the sums of the profiles of a window, and of those with a duration. Series with the most profiles come first. */
const figuresOfServices = query({
  name: "service-metrics.figures",
  isCacheable: true,
  sql: `SELECT service, type, version, toFloat64(sum(amount)) AS total, count() AS profiles,
          toFloat64(sumIf(amount, duration_ns > 0)) AS timedTotal, toFloat64(sum(duration_ns)) AS durationNs,
          uniqExact(instance) AS instances
        FROM (
          SELECT service, type, duration_ns, sampleType, amount,
            arrayFirst(value -> value != '', arrayMap(name -> tags[name], {versionTags:Array(String)})) AS version,
            arrayFirst(value -> value != '', arrayMap(name -> tags[name], {instanceTags:Array(String)})) AS instance
          FROM profiles
          ARRAY JOIN sample_types AS sampleType, deltas_totals AS amount
          WHERE org_id = {orgId:UUID} AND type IN ('cpu', 'memory', 'goroutine', 'mutex')
            AND started_at >= {from:DateTime64(3, 'UTC')} AND started_at < {to:DateTime64(3, 'UTC')}
        )
        WHERE (type, sampleType) IN (('cpu', 'cpu/nanoseconds'), ('memory', 'inuse_space/bytes'),
          ('goroutine', 'goroutine/count'), ('goroutine', 'goroutines/count'), ('mutex', 'delay/nanoseconds'))
        GROUP BY service, type, version
        ORDER BY profiles DESC, service, type, version
        LIMIT {rowsMax:UInt32}`,
  params: z.object({
    orgId: z.uuid(),
    from: z.date(),
    to: z.date(),
    versionTags: z.array(z.string()),
    instanceTags: z.array(z.string()),
    rowsMax: z.int(),
  }),
  row: z.object({
    service: z.string(),
    type: z.string(),
    version: z.string(),
    total: z.number(),
    profiles: Count,
    timedTotal: z.number(),
    durationNs: z.number(),
    instances: Count,
  }),
});
type Figures = z.output<typeof figuresOfServices.row>;

interface ServiceMetric {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly value: (figures: Figures, windowNs: number) => number;
}

/** Nanoseconds of each second that profiles cover. Without durations, those of each instance cover the window. */
function perSecond({ total, timedTotal, durationNs, instances }: Figures, windowNs: number): number {
  return durationNs > 0 ? timedTotal / durationNs : total / (instances * windowNs);
}

const window = `over ${windowMs / minuteMs} minutes`;

const metricTable: readonly ServiceMetric[] = [
  {
    name: "flamekeep_service_cpu_cores",
    help: `CPU cores that a profiled process of the service used on average, ${window}.`,
    type: "cpu",
    value: perSecond,
  },
  {
    name: "flamekeep_service_heap_bytes",
    help: `Memory in use, the mean of the heap profiles of the service, ${window}.`,
    type: "memory",
    value: ({ total, profiles }) => total / profiles,
  },
  {
    name: "flamekeep_service_goroutines",
    help: `Goroutines, the mean of the goroutine profiles of the service, ${window}.`,
    type: "goroutine",
    value: ({ total, profiles }) => total / profiles,
  },
  {
    name: "flamekeep_service_lock_wait_seconds_per_second",
    help: `Seconds that all goroutines of a profiled process waited for locks in a second, ${window}.`,
    type: "mutex",
    value: perSecond,
  },
];

/** Figures of profiles for Prometheus, of the organization of the key. */
export function registerServiceMetrics(app: FastifyInstance, ctx: Context): void {
  serve(
    app,
    ctx,
    serviceMetrics,
    async ({ columns, now }, { orgId }) => {
      const nowMs = now().getTime();
      // Whole minutes, so that scrapes of one minute share the query.
      const to = new Date(Math.ceil(nowMs / minuteMs) * minuteMs);
      const from = new Date(to.getTime() - windowMs);
      const rowsMax = limits.serviceMetricSeriesMax;
      const tags = { versionTags: [...versionTags], instanceTags: [...instanceTags] };
      const params = { orgId, from, to, ...tags };
      const rows = await columns.query(figuresOfServices, { ...params, rowsMax: rowsMax + 1 });
      return new FileReply("text/plain", Buffer.from(textOf(rows, rowsMax, (nowMs - from.getTime()) * 1e6)));
    },
    { rate: perMinute(app, "scrapes of metrics", scrapesPerMinute) },
  );
}

function textOf(rows: readonly Figures[], rowsMax: number, windowNs: number): string {
  const kept = rows.slice(0, rowsMax);
  const metrics = new Metrics();
  for (const { name, help, type, value } of metricTable) {
    const ofType = kept.filter((row) => row.type === type);
    metrics.gauges(name, help, () =>
      ofType.map((row) => ({ labels: labelsOf(row), value: value(row, windowNs) })),
    );
  }
  metrics.gauges(
    "flamekeep_service_profiles",
    `Profiles of the service that these metrics are made of, ${window}.`,
    () => kept.map((row) => ({ labels: labelsOf(row), value: row.profiles })),
  );
  metrics.gauge(
    "flamekeep_service_metrics_truncated",
    `1 if there are more than ${rowsMax} series: those with the fewest profiles are left out.`,
    () => (rows.length > rowsMax ? 1 : 0),
  );
  return metrics.toText();
}

function labelsOf({ service, type, version }: Figures) {
  return { service, type, version };
}

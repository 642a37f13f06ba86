import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { HttpMetric } from "./ingest.ts";
import { limits } from "./limits.ts";
import { Count, ServiceName } from "./profiles.ts";
import { Instant } from "./time.ts";
import { rangeFields } from "./time-range.ts";

const area = "HTTP metrics";
const ServiceParams = z.object({ service: ServiceName });

const StoredMetric = HttpMetric.extend({
  timestamp: Instant,
  request_id: z.string().meta({ description: "Empty if the sender gave none.", example: "req-7f3a" }),
}).meta({ id: "StoredHttpMetric" });
export type StoredMetric = z.output<typeof StoredMetric>;

const Metrics = z.array(StoredMetric).meta({ description: "Newest first." });
const Limit = z.coerce.number().int().min(1).max(limits.httpMetricsLimitMax).default(limits.httpMetricsLimit);
const dayRange = rangeFields("24h");

export const listHttpMetrics = endpoint({
  method: "GET",
  path: "/api/v1/protected/http-metrics/service/{service}",
  area,
  summary: "Latest requests of a service",
  auth: "session",
  params: ServiceParams,
  query: z.object({ ...rangeFields(`${limits.sinceDaysMax}d`), limit: Limit }),
  reply: z.object({ metrics: Metrics }),
});

export const httpGroupings = ["path", "method", "status"] as const;
export type HttpGrouping = (typeof httpGroupings)[number];

const quantileAccuracy = `Exact up to ${limits.httpExactRequestsMax.toLocaleString("en")} requests (the sorted durations at index floor(q * count)), beyond from histograms, within 1%.`;
const IsApproximate = z
  .boolean()
  .meta({ description: "True when percentiles come from histograms, within 1%.", example: false });

const Aggregates = z.object({
  count: Count.meta({ example: 1840 }),
  avg_duration: z.number().nullable().meta({ description: "Seconds.", example: 0.0421 }),
  p95_duration: z.number().nullable().meta({ example: 0.12 }),
  p99_duration: z.number().nullable().meta({ example: 0.31 }),
  error_rate: z
    .number()
    .nullable()
    .meta({ description: "Fraction of requests with status 400 or above.", example: 0.0125 }),
});
export type HttpAggregates = z.output<typeof Aggregates>;

const Aggregation = Aggregates.extend({
  path: z.string().optional().meta({ example: "/orders/{id}" }),
  method: z.string().optional().meta({ example: "GET" }),
  status: z.string().optional().meta({ description: "2xx, 3xx, 4xx, 5xx or Other.", example: "2xx" }),
}).meta({ id: "HttpAggregation", description: "Of one path, method or status class." });

export const aggregateHttpMetrics = endpoint({
  method: "GET",
  path: "/api/v1/protected/http-metrics/service/{service}/aggregated",
  area,
  summary: "Requests of a service by path, method or status",
  description: quantileAccuracy,
  auth: "session",
  params: ServiceParams,
  query: z.object({ ...rangeFields("1h"), group_by: z.enum(httpGroupings).default("path") }),
  reply: z.object({
    aggregations: z
      .array(Aggregation)
      .meta({ description: `Most requests first, at most ${limits.httpGroupsMax}.` }),
    total: Aggregates.meta({ description: "All requests of the range; fields are null if there are none." }),
    is_approximate: IsApproximate,
  }),
});

export const httpPathOrders = ["slowest", "requests", "errors"] as const;
export type HttpPathOrder = (typeof httpPathOrders)[number];

const ServicePath = Aggregates.extend({
  service: ServiceName,
  path: z.string().meta({ example: "/orders/{id}" }),
}).meta({ id: "HttpServicePath", description: "Requests of one path of a service." });
export type ServicePath = z.output<typeof ServicePath>;

export const listHttpPaths = endpoint({
  method: "GET",
  path: "/api/v1/protected/http-metrics/paths",
  area,
  summary: "Requests of all services by service and path",
  description: quantileAccuracy,
  auth: "session",
  query: z.object({
    ...dayRange,
    order: z.enum(httpPathOrders).default("slowest").meta({
      description:
        "`slowest`: highest 95th percentile first. `requests`: most requests first. `errors`: most failed requests first.",
    }),
    limit: Limit,
  }),
  reply: z.object({
    paths: z.array(ServicePath).meta({ description: "In the order of `order`, at most `limit`." }),
    paths_total: Count.meta({ description: "Paths of the range, regardless of `limit`.", example: 14 }),
    is_approximate: IsApproximate,
  }),
});

export const listHttpErrors = endpoint({
  method: "GET",
  path: "/api/v1/protected/http-metrics/service/{service}/errors",
  area,
  summary: "Failed requests of a service: status 400 or above",
  auth: "session",
  params: ServiceParams,
  query: z.object({ ...dayRange, limit: Limit }),
  reply: z.object({
    count: Count.meta({
      description: "All failed requests of the range, regardless of `limit`.",
      example: 23,
    }),
    count_4xx: Count.meta({ example: 21 }),
    count_5xx: Count.meta({ example: 2 }),
    errors: Metrics,
  }),
});

export const requestOrders = ["latest", "slowest", "errors"] as const;
export type RequestOrder = (typeof requestOrders)[number];

export const listPathMetrics = endpoint({
  method: "GET",
  path: "/api/v1/protected/http-metrics/service/{service}/paths",
  area,
  summary: "Single requests of one path",
  auth: "session",
  params: ServiceParams,
  query: z.object({
    path: z
      .string({
        error: ({ code }) =>
          code === "invalid_type"
            ? "path is required: the path as it was sent, such as /orders/{id}"
            : undefined,
      })
      .min(1)
      .max(2048)
      .meta({ example: "/orders/{id}" }),
    ...dayRange,
    order: z.enum(requestOrders).default("latest").meta({
      description:
        "`latest`: newest first. `slowest`: longest first. `errors`: status 400 or above, newest first.",
    }),
    limit: Limit,
  }),
  reply: z.object({ path: z.string().meta({ example: "/orders/{id}" }), metrics: z.array(StoredMetric) }),
});

import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import { Count, ProfileId, ServiceName, wholeNumber } from "#base/values.ts";
import { HttpMetric } from "#ingest/ingest.ts";
import { organizationRequests, projectRequests } from "#organizations/calls.ts";
import { ProjectParams } from "#organizations/projects.ts";
import * as calls from "./calls.ts";
import { httpGroupings, httpPathOrders, requestOrders } from "./calls.ts";

const ServiceParams = z.object({ service: ServiceName });

const StoredMetric = HttpMetric.extend({
  timestamp: Instant,
  request_id: z.string().meta({ description: "Empty if the sender gave none.", example: "req-7f3a" }),
}).meta({ id: "StoredHttpMetric" });
export type StoredMetric = z.output<typeof StoredMetric>;

const Metrics = z.array(StoredMetric).meta({ description: "Newest first." });

const Path = z
  .string({
    error: ({ code }) =>
      code === "invalid_type" ? "path is required: the path as it was sent, such as /orders/{id}" : undefined,
  })
  .min(1)
  .max(limits.httpPathLengthMax)
  .meta({ example: "/orders/{id}" });

const Method = z
  .string()
  .min(1)
  .max(limits.httpMethodLengthMax)
  .optional()
  .meta({ description: "Only requests with this method.", example: "GET" });

/** Query parameters of calls about one route. */
export const routeFields = { path: Path, method: Method };

const RequestProfile = z
  .object({
    profile_id: ProfileId,
    timestamp: Instant.meta({ description: "Start of the profile." }),
    covers: z.boolean().meta({
      description: "Whether the profile covers the request. Otherwise it is the nearest one.",
      example: true,
    }),
  })
  .meta({ id: "RequestProfile" });

const RequestOfPath = StoredMetric.extend({
  profile: RequestProfile.nullable()
    .optional()
    .meta({
      description: `Only with \`profile_type\`: the profile that covers the time of the request, else the nearest one within ${limits.requestProfileMinutesMax} minutes; null if there is none.`,
    }),
}).meta({ id: "HttpRequestOfPath" });
export type RequestOfPath = z.output<typeof RequestOfPath>;

const Limit = wholeNumber(limits.httpMetricsLimitMax, limits.httpMetricsLimit);

const dayRange = rangeFields("24h");

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

const ServicePath = Aggregates.extend({
  service: ServiceName,
  path: z.string().meta({ example: "/orders/{id}" }),
}).meta({ id: "HttpServicePath", description: "Requests of one path of a service." });
export type ServicePath = z.output<typeof ServicePath>;

const endpoint = endpointIn("HTTP metrics");

export const httpMetricEndpoints = [
  endpoint(calls.listHttpMetrics, {
    summary: "Latest requests of a service",
    params: ServiceParams,
    query: z.object({ ...rangeFields(`${limits.sinceDaysMax}d`), limit: Limit }),
    reply: z.object({ metrics: Metrics }),
  }),
  endpoint(calls.aggregateHttpMetrics, {
    isOpenToOtherOrganizations: true,
    summary: "Requests of a service by path, method or status",
    description: quantileAccuracy,
    params: ServiceParams,
    query: z.object({ ...rangeFields("1h"), group_by: z.enum(httpGroupings).default("path") }),
    reply: z.object({
      aggregations: z
        .array(Aggregation)
        .meta({ description: `Most requests first, at most ${limits.httpGroupsMax}.` }),
      total: Aggregates.meta({
        description: "All requests of the range; fields are null if there are none.",
      }),
      is_approximate: IsApproximate,
    }),
  }),
  endpoint(calls.listHttpPaths, {
    summary: "Requests of all services by service and path",
    description: quantileAccuracy,
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
  }),
  endpoint(projectRequests, {
    isOpenToOtherOrganizations: true,
    summary: "Requests of the services of a project",
    description: `By service, and together. Of created projects; a derived one has the calls of its service. ${quantileAccuracy}`,
    params: ProjectParams,
    query: z.object(dayRange),
    reply: z.object({
      services: z
        .array(Aggregates.extend({ service: ServiceName }))
        .meta({ description: "Services with requests, most requests first." }),
      total: Aggregates.meta({
        description:
          "Percentiles over the requests of all services; fields are null if there are no requests.",
      }),
      is_approximate: IsApproximate,
    }),
    failures: ["not_found"],
  }),
  endpoint(organizationRequests, {
    isOpenToOtherOrganizations: true,
    summary: "Requests of all services together",
    description: quantileAccuracy,
    query: z.object(dayRange),
    reply: z.object({
      total: Aggregates.meta({
        description: "Percentiles over all requests; fields are null if there are no requests.",
      }),
      is_approximate: IsApproximate,
    }),
  }),
  endpoint(calls.listHttpErrors, {
    summary: "Failed requests of a service: status 400 or above",
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
  }),
  endpoint(calls.listPathMetrics, {
    summary: "Single requests of one path",
    params: ServiceParams,
    query: z.object({
      ...routeFields,
      ...dayRange,
      order: z.enum(requestOrders).default("latest").meta({
        description:
          "`latest`: newest first. `slowest`: longest first. `errors`: status 400 or above, newest first.",
      }),
      profile_type: GraphType.optional().meta({
        description: "Adds to each request a profile of this type.",
        example: "cpu",
      }),
      limit: Limit,
    }),
    reply: z.object({ path: z.string().meta({ example: "/orders/{id}" }), metrics: z.array(RequestOfPath) }),
  }),
] as const;

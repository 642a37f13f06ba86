import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Count } from "./profiles.ts";
import { Instant, Since } from "./time.ts";
import { completeFields, moment, rangeFields } from "./time-range.ts";
import { TimelineService } from "./timeline.ts";

const gap = "null where there was no request.";

export const HttpStatusCounts = z
  .object({ "2xx": Count, "3xx": Count, "4xx": Count, "5xx": Count, Other: Count })
  .meta({
    id: "HttpStatusCounts",
    description: "Requests by class of status; Other is any status that is not from 200 to 599.",
    example: { "2xx": 150, "3xx": 1, "4xx": 2, "5xx": 0, Other: 0 },
  });
export type HttpStatusCounts = z.output<typeof HttpStatusCounts>;

export const HttpTimelinePoint = z
  .object({
    timestamp: Instant.meta({ description: "Start of the interval." }),
    request_count: Count.meta({ example: 153 }),
    avg_duration_ms: z.number().nullable().meta({ description: gap, example: 42.1 }),
    p95_duration_ms: z.number().nullable().meta({ description: gap, example: 120 }),
    p99_duration_ms: z.number().nullable().meta({ description: gap, example: 310 }),
    throughput_rps: z.number().meta({
      description:
        "Requests over the whole interval, per second; that of the current interval may still rise.",
      example: 0.51,
    }),
    error_rate: z
      .number()
      .nullable()
      .meta({ description: `Fraction with status 400 or above; ${gap}`, example: 0.0125 }),
    status_counts: HttpStatusCounts.optional(),
  })
  .meta({ id: "HttpTimelinePoint" });
export type HttpTimelinePoint = z.output<typeof HttpTimelinePoint>;

export const HttpTimeline = z
  .object({
    service: z.string().meta({ example: "checkout" }),
    interval_minutes: Count.meta({ example: 5 }),
    interval_widened: z.boolean().meta({
      description: "True if the requested interval would have given more than 11,000 points.",
      example: false,
    }),
    from: Instant.meta({ description: "Start of the first interval." }),
    to: Instant.meta({ description: "End of the last interval." }),
    ...completeFields,
    is_approximate: z
      .boolean()
      .meta({ description: "True when percentiles come from histograms, within 1%.", example: false }),
    data_points: z
      .array(HttpTimelinePoint)
      .meta({ description: "Every interval of the range, oldest first." }),
    summary: z.object({
      total_requests: Count.meta({ example: 1840 }),
      avg_duration_ms: z.number().nullable().meta({ example: 42.1 }),
      p95_duration_ms: z.number().nullable().meta({ example: 120 }),
      peak_throughput_rps: z.number().meta({ description: "Of the busiest interval.", example: 1.9 }),
      overall_error_rate: z.number().nullable().meta({ example: 0.0125 }),
      total_data_mb: z.number().nullable().meta({
        description: "Always null: HTTP metrics do not contain the size of replies.",
        example: null,
      }),
    }),
  })
  .meta({ id: "HttpTimeline" });
export type HttpTimeline = z.output<typeof HttpTimeline>;

export const httpTimeline = endpoint({
  method: "GET",
  path: "/api/v1/protected/timeline/http/{service}",
  area: "HTTP metrics",
  summary: "Requests, latency and errors of a service or one of its routes over time",
  auth: "session",
  params: z.object({ service: TimelineService }),
  query: z.object({
    ...rangeFields("24h"),
    since: Since.optional().meta({
      description: "Length of the range, which ends at `until`; overrides `from`.",
      example: "24h",
    }),
    interval: z.coerce
      .number()
      .int()
      .min(1)
      .max(43_200)
      .default(5)
      .meta({ description: "Minutes.", example: 5 }),
    method: z
      .string()
      .min(1)
      .max(20)
      .optional()
      .meta({ description: "Only requests with this method.", example: "GET" }),
    path: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .meta({ description: "Only requests of this path, as it was sent.", example: "/orders/{id}" }),
    include_statuses: z
      .stringbool()
      .default(false)
      .meta({ description: "Adds `status_counts` to each point.", example: "true" }),
    until: moment("until")
      .optional()
      .meta({ description: "The same as `to`, which it overrides.", example: "now" }),
  }),
  reply: HttpTimeline,
});

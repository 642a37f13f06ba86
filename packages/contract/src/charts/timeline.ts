import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Bucket, bucketFields, completeFields, Instant, moment, rangeFields, Since } from "#base/moments.ts";
import { profileTabs } from "#base/profile-types.ts";
import { Count, wholeNumber } from "#base/values.ts";
import * as calls from "./calls.ts";

const gap = "null where no such profile began in the bucket.";

const figure = (description: string, example: number) =>
  z
    .number()
    .nullable()
    .optional()
    .meta({ description: `${description}; ${gap}`, example });

export const TimelinePoint = z
  .object({
    timestamp: Instant.meta({ description: "Start of the bucket." }),
    cpu_seconds: figure("CPU time in the profiles of the bucket, all instances together", 9.87),
    avg_cpu_percent: figure("CPU time over the profiles' duration, 100 is one core", 98.7),
    memory_bytes: figure("Heap in use, mean of the bucket's profiles", 48_234_496),
    goroutine_count: figure("Goroutines, mean of the bucket's profiles", 104),
    mutex_usage: figure("Seconds waited for mutexes, all instances summed", 0.31),
    block_usage: figure("Seconds blocked, all instances summed", 12.4),
    custom_values: z
      .record(z.string(), z.number())
      .nullable()
      .optional()
      .meta({
        description: `By sample type (type/unit), mean of the bucket's custom profiles; ${gap}`,
        example: { "connections/count": 12 },
      }),
  })
  .meta({ id: "TimelinePoint" });
export type TimelinePoint = z.output<typeof TimelinePoint>;

export const Timeline = z
  .object({
    service: z.string().meta({ example: "checkout" }),
    type: z.enum(profileTabs).meta({ example: "all" }),
    ...bucketFields,
    data_points: z.array(TimelinePoint).meta({
      description: "Every bucket of the range, oldest first, with the fields of the requested type.",
    }),
  })
  .meta({ id: "Timeline" });
export type Timeline = z.output<typeof Timeline>;

const serviceRequired = "Service parameter is required for timeline data";

export const TimelineService = z.string().min(1, { error: serviceRequired }).meta({ example: "checkout" });

const TimelineQuery = z.object({
  bucket: Bucket.default("15m"),
  ...rangeFields("24h"),
});

const shared = {
  description:
    "Times are start times of profiles. The range is widened to whole buckets at multiples of their width, so the last one may still fill.",
  query: TimelineQuery,
  reply: Timeline,
} as const;

const noRequest = "null where there was no request.";

export const HttpStatusCounts = z
  .object({ "2xx": Count, "3xx": Count, "4xx": Count, "5xx": Count, Other: Count })
  .meta({
    id: "HttpStatusCounts",
    description: "Requests by status class; Other is any status that is not from 200 to 599.",
    example: { "2xx": 150, "3xx": 1, "4xx": 2, "5xx": 0, Other: 0 },
  });
export type HttpStatusCounts = z.output<typeof HttpStatusCounts>;

export const HttpTimelinePoint = z
  .object({
    timestamp: Instant.meta({ description: "Start of the interval." }),
    request_count: Count.meta({ example: 153 }),
    avg_duration_ms: z.number().nullable().meta({ description: noRequest, example: 42.1 }),
    p50_duration_ms: z.number().nullable().meta({ description: noRequest, example: 31 }),
    p95_duration_ms: z.number().nullable().meta({ description: noRequest, example: 120 }),
    p99_duration_ms: z.number().nullable().meta({ description: noRequest, example: 310 }),
    throughput_rps: z.number().meta({
      description: "Requests per second over the whole interval; the current interval may still rise.",
      example: 0.51,
    }),
    error_rate: z
      .number()
      .nullable()
      .meta({ description: `Fraction with status 400 or above; ${noRequest}`, example: 0.0125 }),
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
    has_sent_histograms: z.boolean().meta({
      description:
        "True if requests of the range were sent as histograms of OpenTelemetry: durations are spread within their buckets.",
      example: false,
    }),
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

const inTimelines = endpointIn("Timelines");
const inHttpMetrics = endpointIn("HTTP metrics");

export const timelineEndpoints = [
  inTimelines(calls.typeTimeline, {
    ...shared,
    summary: "Use of a service over time, of one profile type",
    params: z.object({ service: TimelineService, type: z.enum(profileTabs).meta({ example: "cpu" }) }),
  }),
  inTimelines(calls.serviceTimeline, {
    isOpenToOtherOrganizations: true,
    ...shared,
    summary: "Use of a service over time, of all profile types",
    params: z.object({ service: TimelineService }),
  }),
  inHttpMetrics(calls.httpTimeline, {
    summary: "Requests, latency and errors of a service or one of its routes over time",
    params: z.object({ service: TimelineService }),
    query: z.object({
      ...rangeFields("24h"),
      since: Since.optional().meta({
        description: "Length of the range before `until`. Overrides `from`.",
        example: "24h",
      }),
      interval: wholeNumber(43_200, 5).meta({ description: "Minutes.", example: 5 }),
      method: z
        .string()
        .min(1)
        .max(limits.httpMethodLengthMax)
        .optional()
        .meta({ description: "Only requests with this method.", example: "GET" }),
      path: z
        .string()
        .min(1)
        .max(limits.httpPathLengthMax)
        .optional()
        .meta({ description: "Only requests of this path, as sent.", example: "/orders/{id}" }),
      include_statuses: z
        .stringbool()
        .default(false)
        .meta({ description: "Adds `status_counts` to each point.", example: "true" }),
      until: moment("until").optional().meta({ description: "Overrides `to`.", example: "now" }),
    }),
    reply: HttpTimeline,
  }),
] as const;

import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { profileTabs } from "./profile-types.ts";
import { Instant } from "./time.ts";
import { Bucket, completeFields, rangeFields } from "./time-range.ts";

const gap = "null where no such profile began in the bucket.";

export const TimelinePoint = z
  .object({
    timestamp: Instant.meta({ description: "Start of the bucket." }),
    cpu_seconds: z
      .number()
      .nullable()
      .optional()
      .meta({
        description: `CPU time in the profiles of the bucket, all instances together; ${gap}`,
        example: 9.87,
      }),
    avg_cpu_percent: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `CPU time over the profiles' duration, 100 is one core; ${gap}`, example: 98.7 }),
    memory_bytes: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Heap in use, mean of the bucket's profiles; ${gap}`, example: 48_234_496 }),
    goroutine_count: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Goroutines, mean of the bucket's profiles; ${gap}`, example: 104 }),
    mutex_usage: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Seconds waited for mutexes, all instances summed; ${gap}`, example: 0.31 }),
    block_usage: z
      .number()
      .nullable()
      .optional()
      .meta({ description: `Seconds blocked, all instances summed; ${gap}`, example: 12.4 }),
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
    bucket: z.string().meta({ description: "Width of one point.", example: "15m" }),
    bucket_widened: z.boolean().meta({
      description: "True if the requested bucket would have given more than 11,000 points.",
      example: false,
    }),
    from: Instant.meta({ description: "Start of the first bucket." }),
    to: Instant.meta({ description: "End of the last bucket." }),
    ...completeFields,
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
  method: "GET",
  area: "Timelines",
  auth: "session",
  description:
    "Times are those at which profiles began. The range is widened to whole buckets, which lie on multiples of their width, so that the last one may still fill.",
  query: TimelineQuery,
  reply: Timeline,
} as const;

export const typeTimeline = endpoint({
  ...shared,
  path: "/api/v1/protected/timeline/service/{service}/{type}",
  summary: "Use of a service over time, of one profile type",
  params: z.object({ service: TimelineService, type: z.enum(profileTabs).meta({ example: "cpu" }) }),
});

export const serviceTimeline = endpoint({
  ...shared,
  path: "/api/v1/protected/timeline/service/{service}",
  summary: "Use of a service over time, of all profile types",
  params: z.object({ service: TimelineService }),
});

import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { DisplayType, StoredType } from "./profile-types.ts";
import { TagFilter } from "./tag-filter.ts";
import { Instant } from "./time.ts";
import { rangeFields } from "./time-range.ts";

/** Sums of int64 values, which wrap around at 64 bits as in Go. Above 2^53 the nearest double; the exact ones are in the original bytes. */
export const Quantity = z.number().meta({ example: 9_870_000_000 });

/** The same in replies to uploads, lists, statistics, summaries and flame graphs. */
export const SampleCount = Quantity.meta({
  description:
    "The profiler's count that belongs to the main sample type: CPU samples, contentions, objects, goroutines; if it counted nothing, the number of distinct stacks. In a flame graph, the count of the graph's sample type under the frame. For HTTP metrics, the requests.",
  example: 987,
});

export const ProfileId = z
  .string()
  .regex(/^[0-9a-f]{32}$/, { error: "A profile id is 32 lower-case hexadecimal characters" })
  .meta({
    description: "32 lower-case hexadecimal characters.",
    example: "3f9a1c07be52d8e4460b7c91691e9f40",
  });

export const ServiceName = z.string().min(1).max(limits.serviceNameLengthMax).meta({ example: "checkout" });

/** A number of items. */
export const Count = z.int().nonnegative().meta({ example: 288 });

/** Parameter of calls about one profile. A malformed id gets the same reply as an unknown one. */
export const ProfileParams = z.object({ id: z.string().meta(ProfileId.meta() ?? {}) });

export const Profile = z
  .object({
    profile_id: ProfileId,
    service: ServiceName,
    type: StoredType,
    display_type: DisplayType,
    timestamp: Instant.meta({ description: "Start of the profile." }),
    tags: z.record(z.string(), z.string()).meta({ example: { region: "eu", version: "1.42.0" } }),
    statistics: z
      .object({
        total_samples: SampleCount,
        duration_ms: z.number().meta({ example: 10_000 }),
      })
      .optional(),
    sample_types: z.array(
      z.object({ type: z.string(), unit: z.string(), total: Quantity }).meta({
        example: { type: "cpu", unit: "nanoseconds", total: 9_870_000_000 },
      }),
    ),
    stack_count: Count.meta({ description: "Distinct stacks.", example: 164 }),
    size_bytes: Count.meta({ description: "Size of the original upload.", example: 21_374 }),
    received_at: Instant,
    trimmed: z.record(z.string(), z.number()).meta({
      description: "What was removed because of a limit, by limit; empty if nothing was.",
      example: {},
    }),
    notice: z.string().optional().meta({
      description: "What its figures lack, and how to send it better; absent if nothing.",
      example:
        "This CPU profile counts samples and does not say how much CPU time a sample is, so its figures are samples.",
    }),
  })
  .meta({ id: "Profile" });
export type Profile = z.output<typeof Profile>;

/** Largest first, except for the oldest. */
export const profileOrders = ["newest", "oldest", "samples", "duration"] as const;
export type ProfileOrder = (typeof profileOrders)[number];

const ListQuery = z.looseObject({
  ...rangeFields("24h"),
  tags: TagFilter,
  limit: z.coerce.number().int().min(1).max(limits.profileListLimitMax).default(limits.profileListLimit),
  profileId: z.string().optional().meta({ description: "Only this profile, whatever its age." }),
  type: DisplayType.optional().meta({
    description: "`wall` lists the custom profiles of wall time; `custom` includes them.",
  }),
  display_type: DisplayType.optional().meta({
    description: "Only profiles of this display type: `custom` without the wall-clock profiles.",
  }),
  include_metrics: z
    .stringbool()
    .default(true)
    .meta({ description: "false leaves batches of HTTP metrics out of the list.", example: "false" }),
  service: ServiceName.optional(),
  q: z
    .string()
    .max(limits.searchLengthMax)
    .optional()
    .meta({ description: "Text in profile id, service, tag keys or values; case does not matter." }),
  order: z.enum(profileOrders).default("newest").meta({
    description:
      "Which profiles come first: the newest, the oldest, those with the most samples or the longest.",
  }),
  cursor: z.string().max(300).optional().meta({ description: "`next_cursor` of the page before." }),
});

const ProfileList = z.object({
  profiles: z.array(Profile).meta({ description: "In the requested order, by default the newest first." }),
  next_cursor: z.string().nullable().meta({ description: "null on the last page.", example: null }),
  counts_by_type: z.partialRecord(StoredType, Count).meta({
    description:
      "Profiles in the range with the tags, by type, regardless of `type`, `display_type`, `q` and `limit`.",
    example: { cpu: 288, memory: 144 },
  }),
  counts_by_display_type: z.partialRecord(DisplayType, Count).meta({
    description: "The same by display type: `custom` without the wall-clock profiles, which are `wall`.",
    example: { cpu: 288, memory: 144, wall: 12 },
  }),
});
export type ProfileList = z.output<typeof ProfileList>;

const area = "Profiles";

export const listProfiles = endpoint({
  method: "GET",
  path: "/api/v1/protected/profiles",
  area,
  summary: "Profiles of the organization",
  auth: "session",
  query: ListQuery,
  reply: ProfileList,
});

export const listServiceProfiles = endpoint({
  method: "GET",
  path: "/api/v1/protected/profiles/service/{service}",
  area,
  summary: "Profiles of one service",
  auth: "session",
  params: z.object({ service: ServiceName }),
  query: ListQuery.omit({ service: true }),
  reply: ProfileList,
});

export const getProfile = endpoint({
  method: "GET",
  path: "/api/v1/protected/profile/{id}",
  area,
  summary: "One profile",
  auth: "session",
  params: ProfileParams,
  reply: Profile,
  failures: ["not_found"],
});

export const downloadProfile = endpoint({
  method: "GET",
  path: "/api/v1/protected/profile/{id}/download",
  area,
  summary: "The original bytes of a profile, unchanged",
  auth: "session",
  params: ProfileParams,
  reply: z.undefined(),
  downloads: [{ contentType: "application/octet-stream", description: "As it was sent." }],
  failures: ["not_found"],
});

export const ServiceTotals = z
  .object({
    name: ServiceName,
    last_activity: Instant.meta({ description: "Start of the latest profile, at most now." }),
    total_profiles: Count.optional().meta({ description: "With `include_totals`.", example: 432 }),
    profiles_by_type: z
      .partialRecord(StoredType, Count)
      .optional()
      .meta({ description: "With `include_totals`.", example: { cpu: 288, memory: 144 } }),
    profiles_by_display_type: z
      .partialRecord(DisplayType, Count)
      .optional()
      .meta({
        description: "With `include_totals`; `custom` without the wall-clock profiles, which are `wall`.",
        example: { cpu: 288, memory: 144, wall: 12 },
      }),
  })
  .meta({ id: "Service" });
export type ServiceTotals = z.output<typeof ServiceTotals>;

export const listServices = endpoint({
  method: "GET",
  path: "/api/v1/protected/services",
  area,
  summary: "Services that sent profiles, latest activity first",
  auth: "session",
  query: z.object({
    ...rangeFields("7d"),
    include_totals: z
      .stringbool()
      .default(false)
      .meta({ description: "true adds the counts.", example: "true" }),
  }),
  reply: z.object({ services: z.array(ServiceTotals) }),
});

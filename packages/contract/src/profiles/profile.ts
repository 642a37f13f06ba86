import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { DisplayType, StoredType } from "#base/profile-type-schemas.ts";
import {
  Count,
  listPage,
  NextCursor,
  ProfileId,
  ProfileParams,
  Quantity,
  SampleCount,
  ServiceName,
  TagFilter,
  wholeNumber,
} from "#base/values.ts";
import * as calls from "./calls.ts";
import { profileOrders, serviceOrders } from "./calls.ts";

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
      description: "Items dropped by limits, by limit; empty if none.",
      example: {},
    }),
    dropped_tags: z
      .array(z.string())
      .optional()
      .meta({
        description:
          "Names of dropped tags, most important first, at most 40; absent without any, and for profiles of earlier versions.",
        example: ["team", "zone"],
      }),
    notice: z.string().optional().meta({
      description: "Limitations of its figures, with advice for the sender; absent without any.",
      example: "This CPU profile counts samples without the CPU time per sample, so its figures are samples.",
    }),
  })
  .meta({ id: "Profile" });
export type Profile = z.output<typeof Profile>;

const ListQuery = z.looseObject({
  ...rangeFields("24h"),
  tags: TagFilter,
  limit: wholeNumber(limits.profileListLimitMax, limits.profileListLimit),
  profileId: z.string().optional().meta({ description: "Only this profile, whatever its age." }),
  type: DisplayType.optional().meta({
    description: "`wall` and the like list some of the custom profiles; `custom` includes all of them.",
  }),
  display_type: DisplayType.optional().meta({
    description:
      "Only profiles of this display type: `custom` without profiles of other display types, such as `wall`.",
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
    description: "Sort order: newest, oldest, most samples or longest first.",
  }),
  cursor: z.string().max(300).optional().meta({ description: "`next_cursor` of the previous page." }),
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
    description:
      "The same by display type: `custom` without profiles of other display types, such as `wall`.",
    example: { cpu: 288, memory: 144, wall: 12 },
  }),
});
export type ProfileList = z.output<typeof ProfileList>;

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
        description:
          "With `include_totals`; `custom` without profiles of other display types, such as `wall`.",
        example: { cpu: 288, memory: 144, wall: 12 },
      }),
  })
  .meta({ id: "Service" });
export type ServiceTotals = z.output<typeof ServiceTotals>;

const FleetTotals = z
  .object({
    services: Count.meta({ example: 12 }),
    last_activity: Instant.nullable().meta({ description: "null without services." }),
    profiles_by_display_type: z
      .partialRecord(DisplayType, Count)
      .optional()
      .meta({ description: "With `include_totals`.", example: { cpu: 288, memory: 144, wall: 12 } }),
    open_alerts: Count.optional().meta({
      description: "Open and unmuted, of all services of the organization. With `include_totals`.",
      example: 3,
    }),
    services_with_alerts: Count.optional().meta({
      description: "Services that have them. With `include_totals`.",
      example: 1,
    }),
  })
  .meta({ id: "FleetTotals", description: "Of all services of the range, listed or not." });

const Neighbour = z
  .object({ profile_id: ProfileId, timestamp: Instant.meta({ description: "Start of the profile." }) })
  .nullable()
  .meta({ description: "null if there is none within 30 days." });

export const ProfileNeighbours = z
  .object({ previous: Neighbour, next: Neighbour })
  .meta({ id: "ProfileNeighbours" });
export type ProfileNeighbours = z.output<typeof ProfileNeighbours>;

const endpoint = endpointIn("Profiles");

export const profileEndpoints = [
  endpoint(calls.listProfiles, {
    summary: "Profiles of the organization",
    query: ListQuery,
    reply: ProfileList,
  }),
  endpoint(calls.listServiceProfiles, {
    summary: "Profiles of one service",
    params: z.object({ service: ServiceName }),
    query: ListQuery.omit({ service: true }),
    reply: ProfileList,
  }),
  endpoint(calls.getProfile, {
    summary: "One profile",
    params: ProfileParams,
    reply: Profile,
    failures: ["not_found"],
  }),
  endpoint(calls.downloadProfile, {
    summary: "The original bytes of a profile, unchanged, or a pprof made of its columns",
    params: ProfileParams,
    reply: z.undefined(),
    downloads: [
      {
        contentType: "application/octet-stream",
        description:
          "As it was sent. Where those bytes are no longer kept (`KEEP_ORIGINALS`), a pprof made of the stored columns: the header `X-Flamekeep-Rebuilt` and a comment in the pprof say so.",
      },
    ],
    failures: ["not_found"],
  }),
  endpoint(calls.listServices, {
    isOpenToOtherOrganizations: true,
    summary: "Services that sent profiles",
    query: z.object({
      ...rangeFields("7d"),
      q: z.string().max(limits.searchLengthMax).default("").meta({
        description: "Only services with all words of this text in their name, in any case.",
        example: "check",
      }),
      order: z.enum(serviceOrders).default("activity").meta({
        description:
          "The latest activity, the most profiles, the most CPU or the largest increase of CPU over the range before first. `name`: by name, the service `q` first, then those that begin with the first word of `q`. `alerts`: silent services and those with critical alerts first, then by open alerts. Read all pages by `name`: in the other orders a service may move to an earlier page between two calls.",
      }),
      ...listPage,
      include_totals: z
        .stringbool()
        .default(false)
        .meta({ description: "true adds the counts.", example: "true" }),
    }),
    reply: z.object({
      services: z.array(ServiceTotals),
      next_cursor: NextCursor,
      total: Count.meta({ description: "Services that match, listed or not.", example: 12 }),
      totals: FleetTotals,
    }),
  }),
  endpoint(calls.profileNeighbours, {
    summary: "Previous and next profile of the same service and display type",
    params: ProfileParams,
    reply: ProfileNeighbours,
    failures: ["not_found"],
  }),
] as const;

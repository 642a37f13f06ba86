import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { ProfileType, StoredType } from "#base/profile-type-schemas.ts";
import { Count, listPage, NextCursor, SampleCount, ServiceName, Texts } from "#base/values.ts";
import * as calls from "./calls.ts";

const CountsByType = z.partialRecord(StoredType, Count).meta({ example: { cpu: 288, memory: 144 } });

const CpuPerformance = z.object({
  avg_cpu_percent: z
    .number()
    .meta({ description: "CPU time over the profiles' duration; 100 is one core.", example: 41.3 }),
  p95_cpu_percent: z.number().meta({ description: "95th percentile over the profiles.", example: 87.9 }),
  peak_cpu_percent: z.number().meta({ description: "Highest value of a profile.", example: 98.7 }),
  avg_duration_ms: z.number().meta({ description: "Mean length of a CPU profile.", example: 10_000 }),
  total_samples: SampleCount.meta({ description: "Sum of the sample counts.", example: 118_940 }),
  seconds_per_request: z.number().nullable().meta({
    description:
      "CPU time for each HTTP request answered while the profiler ran, as in comparisons; null without enough requests, and for several services.",
    example: 0.0052,
  }),
});

const MemoryPerformance = z.object({
  avg_heap_in_use_mb: z
    .number()
    .nullable()
    .meta({ description: "Mean over the profiles; a MB is 2^20 bytes.", example: 46.1 }),
  peak_heap_in_use_mb: z
    .number()
    .nullable()
    .meta({ description: "Highest value of a profile.", example: 71.8 }),
  avg_heap_alloc_mb: z.number().nullable().meta({
    description: "Allocated between two profiles; mean over profiles with the value.",
    example: 310.4,
  }),
  p95_heap_alloc_mb: z.number().nullable().meta({ example: 512.7 }),
  peak_heap_alloc_mb: z.number().nullable().meta({ example: 640.2 }),
});

const RecentCounts = z.object({
  last_24_hours: Count.meta({ example: 86 }),
  last_7_days: Count.meta({ example: 432 }),
  last_30_days: Count.meta({ example: 432 }),
});

export const Summary = z
  .object({
    total_profiles: Count.meta({
      description: "Of all types, batches of HTTP metrics (`metrics`) included.",
      example: 432,
    }),
    total_services: Count.meta({ example: 1 }),
    recent_activity: RecentCounts.meta({
      description: "Profiles back from now, regardless of the range; batches of HTTP metrics included.",
    }),
    recent_metric_batches: RecentCounts.meta({
      description: "Batches of HTTP metrics among `recent_activity`.",
      example: { last_24_hours: 0, last_7_days: 0, last_30_days: 0 },
    }),
    profiles_by_type: CountsByType.meta({
      description: "cpu, memory, goroutine, mutex and metrics always; block and custom if there are any.",
    }),
    time_range: z
      .object({
        earliest: Instant.nullable().meta({ example: "2026-11-15T10:00:00.000Z" }),
        latest: Instant.nullable().meta({ example: "2026-11-20T10:00:00.000Z" }),
        duration_days: z.number().meta({ example: 5 }),
      })
      .meta({ description: "Start of the first and the last profile, to the minute." }),
    top_services: z
      .array(
        z.object({
          name: ServiceName,
          profile_count: Count.meta({ example: 432 }),
          last_activity: Instant.meta({ description: "Start of the latest profile, at most now." }),
          profiles_by_type: CountsByType,
        }),
      )
      .meta({ description: `Most profiles first, at most ${limits.topServicesMax}.` }),
    generated_at: Instant,
    performance_metrics: z
      .object({ cpu: CpuPerformance.nullable(), memory: MemoryPerformance.nullable() })
      .meta({ description: "null if no profile of the range has it." }),
  })
  .meta({ id: "Summary" });
export type Summary = z.output<typeof Summary>;

const shared = {
  description:
    "The range begins and ends at a whole minute. Averages and percentiles are over single profiles, percentiles from histograms, within 1%.",
  query: z.object(rangeFields("120h")),
  reply: z.object({ summary: Summary }),
} as const;

const endpoint = endpointIn("Summaries");

export const summaryEndpoints = [
  endpoint(calls.organizationSummary, {
    ...shared,
    summary: "Summary of the organization",
  }),
  endpoint(calls.servicesSummary, {
    ...shared,
    summary: "Summary of all services: the organization's",
  }),
  endpoint(calls.serviceSummary, {
    isOpenToOtherOrganizations: true,
    ...shared,
    summary: "Summary of one service",
    params: z.object({ service: ServiceName }),
  }),
] as const;

const perProfile =
  "CPU time over the profiles' duration, in cores of one instance; null without CPU profiles.";

export const ServiceTrend = z
  .object({
    name: ServiceName,
    health: z.enum(["healthy", "warning", "critical"]).meta({
      description:
        "By its open, unmuted alerts: `critical` from an increase of 0.5 or by a critical rule, else `warning`; `healthy` without any.",
      example: "warning",
    }),
    silent_since: Instant.nullable().meta({
      description:
        "Arrival of the last upload of a silent regular sender; null otherwise. Its health is the one before the silence.",
      example: null,
    }),
    open_alerts: Count.meta({ description: "Open now and not muted.", example: 1 }),
    worst_alert: z
      .object({
        profile_type: ProfileType,
        increase: z.number().meta({ description: "A fraction.", example: 0.35 }),
      })
      .nullable()
      .meta({
        description: "The open alert with the largest increase, excluding rules; null without any.",
      }),
    cpu: z.object({
      points: z
        .array(z.number().nullable())
        .meta({ description: `One for each bucket. ${perProfile}`, example: [0.31, null, 0.32] }),
      current: z.number().nullable().meta({ description: "Mean of the range.", example: 0.32 }),
      previous: z
        .number()
        .nullable()
        .meta({ description: "Mean of the previous range of the same length.", example: 0.21 }),
    }),
  })
  .meta({ id: "ServiceTrend" });
export type ServiceTrend = z.output<typeof ServiceTrend>;

export const serviceTrendEndpoints = [
  endpoint(calls.serviceTrends, {
    isOpenToOtherOrganizations: true,
    summary: "Health and CPU of services over time",
    description:
      "Services with CPU profiles in the range or the one before, with open alerts, or silent ones, by name. The range is widened to whole buckets.",
    query: z.object({
      ...rangeFields("24h"),
      service: Texts.meta({
        description: `Only these services; may be given up to ${limits.trendServicesMax} times.`,
        example: "checkout",
      }),
      ...listPage,
    }),
    reply: z.object({
      from: Instant.meta({ description: "Start of the first bucket." }),
      to: Instant.meta({ description: "End of the last bucket." }),
      bucket_seconds: Count.meta({
        description: "Chosen so that there are about 32 buckets.",
        example: 2700,
      }),
      services: z.array(ServiceTrend),
      next_cursor: NextCursor,
      open_alerts: Count.meta({
        description: "Open and unmuted, of all services, listed or not.",
        example: 3,
      }),
      services_with_alerts: Count.meta({ description: "Services that have them.", example: 1 }),
    }),
  }),
] as const;

import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { limits } from "./limits.ts";
import { StoredType } from "./profile-types.ts";
import { Count, Quantity, ServiceName } from "./profiles.ts";
import { Instant, Since } from "./time.ts";

const CountsByType = z.partialRecord(StoredType, Count).meta({ example: { cpu: 288, memory: 144 } });

const CpuPerformance = z.object({
  avg_cpu_percent: z.number().meta({ description: "CPU time over the profiles' duration; 100 is one core." }),
  p95_cpu_percent: z.number().meta({ description: "95th percentile over the profiles." }),
  peak_cpu_percent: z.number().meta({ description: "Highest of one profile." }),
  avg_duration_ms: z.number().meta({ description: "Mean length of a CPU profile." }),
  total_samples: Quantity,
});

const MemoryPerformance = z.object({
  avg_heap_in_use_mb: z
    .number()
    .nullable()
    .meta({ description: "Mean over the profiles; a MB is 2^20 bytes." }),
  peak_heap_in_use_mb: z.number().nullable().meta({ description: "Highest of one profile." }),
  avg_heap_alloc_mb: z
    .number()
    .nullable()
    .meta({ description: "Allocated between one profile and the next, mean over profiles that tell." }),
  p95_heap_alloc_mb: z.number().nullable(),
  peak_heap_alloc_mb: z.number().nullable(),
});

export const Summary = z
  .object({
    total_profiles: Count,
    total_services: Count,
    recent_activity: z.object({ last_24_hours: Count, last_7_days: Count, last_30_days: Count }).meta({
      description: "Profiles back from now, whatever `since` says.",
    }),
    profiles_by_type: CountsByType.meta({
      description: "cpu, memory, goroutine, mutex and metrics always; block and custom where there are any.",
    }),
    time_range: z
      .object({ earliest: Instant.nullable(), latest: Instant.nullable(), duration_days: z.number() })
      .meta({ description: "Start of the first and the last profile, to the minute." }),
    top_services: z
      .array(
        z.object({
          name: ServiceName,
          profile_count: Count,
          last_activity: Instant,
          profiles_by_type: CountsByType,
        }),
      )
      .meta({ description: `Most profiles first, at most ${limits.topServicesMax}.` }),
    generated_at: Instant,
    performance_metrics: z
      .object({ cpu: CpuPerformance.nullable(), memory: MemoryPerformance.nullable() })
      .meta({ description: "null where no profile of the range tells." }),
  })
  .meta({ id: "Summary" });
export type Summary = z.output<typeof Summary>;

const shared = {
  method: "GET",
  area: "Summaries",
  auth: "session",
  description:
    "The range begins at a whole minute, one of more than a day at a whole hour. Averages and percentiles are over single profiles, percentiles from t-digests.",
  query: z.object({ since: Since.default("120h") }),
  reply: z.object({ summary: Summary }),
} as const;

export const organizationSummary = endpoint({
  ...shared,
  path: "/api/v1/protected/summary",
  summary: "Summary of the organization",
});

export const servicesSummary = endpoint({
  ...shared,
  path: "/api/v1/protected/summary/services",
  summary: "Summary of all services: the organization's",
});

export const serviceSummary = endpoint({
  ...shared,
  path: "/api/v1/protected/summary/service/{service}",
  summary: "Summary of one service",
  params: z.object({ service: ServiceName }),
});

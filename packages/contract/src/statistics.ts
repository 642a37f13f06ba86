import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Count, ProfileParams, Quantity } from "./profiles.ts";

export const functionCategories = [
  "user_code",
  "standard_library",
  "runtime",
  "http",
  "database",
  "json",
  "gin_framework",
  "third_party",
  "other",
] as const;
export const FunctionCategory = z.enum(functionCategories);
export type FunctionCategory = z.output<typeof FunctionCategory>;

export const ProfileStatistics = z
  .object({
    profile_id: z.string(),
    sample_count: Quantity.meta({ example: 987 }),
    duration: z.string().meta({ description: "`unknown` when the profile does not say.", example: "10s" }),
    profile_type: z.string().meta({ example: "cpu" }),
    sample_type: z
      .object({ type: z.string(), unit: z.string() })
      .meta({ description: "What the values below count.", example: { type: "cpu", unit: "nanoseconds" } }),
    statistics: z
      .object({
        unique_functions: Count,
        max_stack_depth: Count,
        avg_stack_depth: z.number(),
        unique_locations: Count,
        hot_path_count: Count,
      })
      .nullable()
      .meta({ description: "null for a batch of HTTP metrics, which has no stacks." }),
    top_functions: z.array(
      z.object({
        name: z.string().meta({ example: "encoding/json.(*encodeState).marshal" }),
        category: FunctionCategory,
        self_percent: z.number(),
        self_value: Quantity,
        cum_percent: z.number(),
        cum_value: Quantity,
      }),
    ),
    call_patterns: z.array(z.string()).meta({ example: ["json_heavy", "deep_recursion"] }),
    context: z.object({
      go_version: z.string().nullable(),
      framework: z.string().nullable(),
      platform: z.string().nullable(),
    }),
    cpu_stats: z
      .object({ cpu_percent: z.number(), cpu_time_ns: Quantity, total_samples: Quantity })
      .nullable()
      .meta({ description: "Only for CPU profiles; 100 percent is one core." }),
  })
  .meta({ id: "ProfileStatistics" });
export type ProfileStatistics = z.output<typeof ProfileStatistics>;

export const profileStatistics = endpoint({
  method: "GET",
  path: "/api/v1/protected/profile/{id}/stats",
  area: "Profiles",
  summary: "Statistics of one profile",
  auth: "session",
  params: ProfileParams,
  reply: ProfileStatistics,
  failures: ["not_found"],
});

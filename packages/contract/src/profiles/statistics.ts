import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { Count, ProfileId, ProfileParams, Quantity, SampleCount } from "#base/values.ts";
import { FunctionGrouping } from "#graphs/flame-graph.ts";
import * as calls from "./calls.ts";

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

export const FunctionCategory = z.enum(functionCategories).meta({ example: "json" });
export type FunctionCategory = z.output<typeof FunctionCategory>;

const place = {
  file: z.string().meta({
    description: "Two functions of one name are in different files. Empty if it is not known.",
    example: "/usr/local/go/src/encoding/json/encode.go",
  }),
  line: Count.meta({ description: "Where the function starts; 0 if it is not known.", example: 283 }),
};

export const ProfileStatistics = z
  .object({
    profile_id: z.string().meta(ProfileId.meta() ?? {}),
    sample_count: SampleCount,
    duration: z.string().meta({ description: "`unknown` if the profile has no duration.", example: "10s" }),
    profile_type: z.string().meta({ example: "cpu" }),
    sample_type: z.object({ type: z.string(), unit: z.string() }).meta({
      description: "Sample type of the values below.",
      example: { type: "cpu", unit: "nanoseconds" },
    }),
    statistics: z
      .object({
        unique_functions: Count.meta({ example: 212 }),
        max_stack_depth: Count.meta({ example: 31 }),
        avg_stack_depth: z.number().meta({ example: 14.2 }),
        unique_locations: Count.meta({ example: 389 }),
        hot_path_count: Count.meta({ example: 3 }),
      })
      .nullable()
      .meta({
        description:
          "Of the stacks with a value of `sample_type`. null for a batch of HTTP metrics, which has no stacks.",
      }),
    top_functions: z.array(
      z.object({
        name: z.string().meta({ example: "encoding/json.(*encodeState).marshal" }),
        ...place,
        category: FunctionCategory,
        self_percent: z.number().meta({ example: 21.5 }),
        self_value: Quantity.meta({ example: 2_122_050_000 }),
        cum_percent: z.number().meta({ example: 40 }),
        cum_value: Quantity.meta({ example: 3_948_000_000 }),
      }),
    ),
    top_waits: z
      .array(
        z.object({
          name: z.string().meta({
            description:
              "The first function from the leaf outside the runtime, sync and other packages that wait for their callers.",
            example: "shop.(*Ledger).Reserve",
          }),
          ...place,
          category: FunctionCategory,
          reason: z.string().meta({
            description:
              "State of the goroutines as in a Go traceback, or the waiting or unlocking function; empty if the function is the leaf.",
            example: "sync.(*Mutex).Lock",
          }),
          percent: z.number().meta({ example: 62.5 }),
          value: Quantity.meta({ example: 310_000_000 }),
        }),
      )
      .nullable()
      .meta({
        description:
          "Where goroutines wait, or for mutex profiles, hold locks; at most 5, largest first. null for other types.",
      }),
    call_patterns: z.array(z.string()).meta({ example: ["json_heavy", "deep_recursion"] }),
    context: z.object({
      go_version: z.string().nullable().meta({ example: "go1.26" }),
      framework: z.string().nullable().meta({ example: "gin" }),
      platform: z.string().nullable().meta({ example: "linux/amd64" }),
    }),
    cpu_stats: z
      .object({
        cpu_percent: z.number().nullable().meta({
          description: "null if CPU time or duration is unknown.",
          example: 98.7,
        }),
        cpu_time_ns: Quantity.nullable().meta({
          description: "null for profiles with sample counts but no period.",
        }),
        total_samples: SampleCount,
      })
      .nullable()
      .meta({ description: "Only for CPU profiles; 100 percent is one core." }),
  })
  .meta({ id: "ProfileStatistics" });
export type ProfileStatistics = z.output<typeof ProfileStatistics>;

const endpoint = endpointIn("Profiles");

export const statisticsEndpoints = [
  endpoint(calls.profileStatistics, {
    summary: "Statistics of one profile",
    params: ProfileParams,
    query: z.object({ group_by: FunctionGrouping.default("function") }),
    reply: ProfileStatistics,
    failures: ["not_found"],
  }),
] as const;

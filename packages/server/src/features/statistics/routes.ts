import { type ProfileStatistics, profileStatistics } from "@flamekeep/contract";
import { durationText } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { type Operation, serve } from "#http/endpoint/serve.ts";
import { taskFile } from "#stacks/pool.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";
import type * as tasks from "./tasks.ts";
import type { ProfileDescription } from "./tasks.ts";

export function registerStatistics(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, profileStatistics, getProfileStatistics);
}

const statisticsTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

const getProfileStatistics: Operation<typeof profileStatistics> = async (
  ctx,
  { orgId },
  { id, group_by: groupBy },
) => {
  const row = await ctx.profiles.read(orgId, id);
  if (row.type === "metrics") return toMetricsStatistics(row);
  const description = await ctx.decoders.open(statisticsTasks, "describeProfile", {
    payload: await readPayload(ctx.payloads, orgId, row.profile_id),
    profileId: row.profile_id,
    type: row.type,
    sampleTypes: row.sample_types,
    groupBy,
  });
  return toStatistics(row, description);
};

function toStatistics(row: ProfileRow, description: ProfileDescription): ProfileStatistics {
  const { statistics, context, cpuStats } = description;
  return {
    profile_id: row.profile_id,
    sample_count: description.sampleCount,
    // The upload may state a duration that the profile itself does not have.
    duration: durationText(Number(row.duration_ns)),
    profile_type: row.type,
    sample_type: description.sampleType,
    statistics: {
      unique_functions: statistics.uniqueFunctions,
      max_stack_depth: statistics.maxStackDepth,
      avg_stack_depth: statistics.avgStackDepth,
      unique_locations: statistics.uniqueLocations,
      hot_path_count: statistics.hotPathCount,
    },
    top_functions: description.topFunctions.map((top) => ({
      name: top.name,
      file: top.file,
      line: top.line,
      category: top.category,
      self_percent: top.selfPercent,
      self_value: top.selfValue,
      cum_percent: top.cumPercent,
      cum_value: top.cumValue,
    })),
    top_waits: description.topWaits?.map((wait) => ({ ...wait })) ?? null,
    call_patterns: [...description.callPatterns],
    context: {
      go_version: row.tags.go_version ?? nullIfUnknown(context.goVersion),
      framework: nullIfUnknown(context.framework),
      platform: nullIfUnknown(context.platform),
    },
    cpu_stats:
      row.type === "cpu"
        ? {
            cpu_percent: cpuStats.cpuPercent ?? null,
            cpu_time_ns: cpuStats.cpuTimeNs ?? null,
            total_samples: cpuStats.totalSamples,
          }
        : null,
  };
}

/** The statistics of a batch of HTTP metrics: its number of requests and its duration. */
function toMetricsStatistics(row: ProfileRow): ProfileStatistics {
  return {
    profile_id: row.profile_id,
    sample_count: row.sample_count,
    duration: durationText(Number(row.duration_ns)),
    profile_type: row.type,
    sample_type: { type: "requests", unit: "count" },
    statistics: null,
    top_functions: [],
    top_waits: null,
    call_patterns: [],
    context: { go_version: null, framework: null, platform: null },
    cpu_stats: null,
  };
}

function nullIfUnknown(text: string): string | null {
  return text === "unknown" ? null : text;
}

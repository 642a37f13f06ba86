import type {
  ContentionChart,
  CustomChart,
  GoroutineChart,
  ServiceContention,
  ServiceCustom,
  ServiceGoroutines,
} from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { isGauge } from "@flamekeep/profile";
import type { Actor, Context } from "#context";
import type { StackColumn } from "#decoding/ranges/stored-stacks.ts";
import { unprocessable } from "#failure";
import { type Original, readOriginal } from "#store/payloads/read-payload.ts";
import { type ProfileRow, storedAs } from "#store/profiles/profile-row.ts";
import { logDamage, readUnlessDamaged } from "./damage.ts";
import { type ChartRange, type LatestStacks, latestStacks, overStacks } from "./latest-stacks.ts";
import { toContention, toCustom, toGoroutines, toProfile, toSeries } from "./present.ts";
import { previousProfile } from "./queries.ts";
import { chartTasks } from "./tasks/table.ts";

type ChartType = "goroutine" | "mutex" | "block" | "custom";

/** How long before a profile the earlier one may be: growth since an older one means nothing. */
const lookBackMs = dayMs;

export async function getGoroutineChart(ctx: Context, { orgId }: Actor, id: string): Promise<GoroutineChart> {
  const row = await rowOf(ctx, orgId, id, "goroutine");
  const [original, before] = await Promise.all([
    readOriginal(ctx.payloads, orgId, storedAs(row)),
    findPrevious(ctx, orgId, row),
  ]);
  const previous = before && (await readUnlessDamaged(ctx, orgId, { ...before, type: row.type }));
  const chart = await ctx.decoders.open(chartTasks.goroutines, "goroutinesOfProfile", { original, previous });
  if (chart.previousDamage !== undefined) logDamage(ctx, chart.previousDamage);
  return {
    profile: toProfile(row),
    previous:
      before !== undefined && chart.previousTotal !== undefined
        ? {
            profile_id: before.profileId,
            timestamp: before.startedAt.toISOString(),
            total: chart.previousTotal,
          }
        : null,
    ...toGoroutines(chart),
  };
}

async function findPrevious(ctx: Context, orgId: string, row: ProfileRow) {
  const to = row.started_at;
  const [previous] = await ctx.columns.query(previousProfile, {
    orgId,
    service: row.service,
    type: row.type,
    from: new Date(to.getTime() - lookBackMs),
    to,
    tagNames: Object.keys(row.tags),
    tagValues: Object.values(row.tags),
  });
  return previous;
}

export async function getContentionChart(
  ctx: Context,
  { orgId }: Actor,
  id: string,
  type: "mutex" | "block",
): Promise<ContentionChart> {
  const row = await rowOf(ctx, orgId, id, type);
  const chart = await ctx.decoders.open(
    chartTasks.contention,
    "contentionOfProfile",
    await readOriginal(ctx.payloads, orgId, storedAs(row)),
  );
  const covers = row.duration_ns === 0n ? "process" : "window";
  return { profile: toProfile(row), covers, ...toContention(chart, type) };
}

export async function getCustomChart(ctx: Context, { orgId }: Actor, id: string): Promise<CustomChart> {
  const row = await rowOf(ctx, orgId, id, "custom");
  const chart = await ctx.decoders.open(
    chartTasks.custom,
    "customOfProfile",
    await readOriginal(ctx.payloads, orgId, storedAs(row)),
  );
  return { profile: toProfile(row), ...toCustom(chart) };
}

async function rowOf(ctx: Context, orgId: string, id: string, type: ChartType): Promise<ProfileRow> {
  const row = await ctx.profiles.read(orgId, id);
  if (row.type === type) return row;
  throw unprocessable(`This profile is of type ${row.type}; this chart is of ${type} profiles`);
}

/** Goroutines are a gauge, so their counts are means over the profiles. */
export async function getServiceGoroutines(ctx: Context, range: ChartRange): Promise<ServiceGoroutines> {
  const latest = await latestStacks(ctx, range);
  const [sum] = latest.sums.slice(-1);
  const [growth] = latest.growth.slice(-1);
  const columns: StackColumn[] = [
    ...(sum === undefined ? [] : [{ ...sum, divisor: latest.profiles.length }]),
    ...(growth === undefined ? [] : [{ ...growth, divisor: 1 }]),
  ];
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.run(chartTasks.goroutines, "goroutinesOfStacks", stored),
  );
  return { ...toRange(range, latest), aggregation: "mean", ...toGoroutines(chart) };
}

export async function getServiceContention(
  ctx: Context,
  range: ChartRange,
  type: "mutex" | "block",
): Promise<ServiceContention> {
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({ ...sum, divisor: 1 }));
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.run(chartTasks.contention, "contentionOfStacks", stored),
  );
  return { ...toRange(range, latest), aggregation: "sum", ...toContention(chart, type) };
}

/** Labels are only in the payloads, and reading all of them would take too long. */
const payloadBytesMax = 8 * 1024 * 1024;

export async function getServiceCustom(ctx: Context, range: ChartRange): Promise<ServiceCustom> {
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({
    ...sum,
    divisor: isGauge(sum.sampleType) ? latest.profiles.length : 1,
  }));
  const originals: Original[] = [];
  for (const profile of latestWithin(latest.profiles, payloadBytesMax)) {
    const original = await readUnlessDamaged(ctx, range.orgId, { ...profile, type: "custom" });
    if (original !== undefined) originals.push(original);
  }
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.run(chartTasks.custom, "customOfStacks", { stored, originals }),
  );
  for (const damage of chart.damages) logDamage(ctx, damage);
  return { ...toRange(range, latest), labels_profiles: chart.labelProfiles, ...toCustom(chart) };
}

/** The latest profiles whose payloads have at most so many bytes together; at least one. */
function latestWithin(profiles: LatestStacks["profiles"], bytesMax: number): LatestStacks["profiles"] {
  let bytes = 0;
  const newest = profiles.toReversed();
  const end = newest.findIndex(({ payloadBytes }) => {
    bytes += payloadBytes;
    return bytes > bytesMax;
  });
  return end === -1 ? newest : newest.slice(0, Math.max(1, end));
}

function toRange({ service, fromMs, toMs }: ChartRange, { profiles }: LatestStacks) {
  return {
    service,
    from: new Date(fromMs).toISOString(),
    to: new Date(toMs).toISOString(),
    profiles_merged: profiles.length,
    series: toSeries(profiles),
  };
}

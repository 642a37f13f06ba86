import type { InputOf, ReplyOf } from "@flamekeep/contract";
import * as calls from "@flamekeep/contract";
import { dayMs } from "@flamekeep/contract/durations";
import { isGauge } from "@flamekeep/profile";
import type { FastifyInstance } from "fastify";
import type { Actor, Context } from "#context";
import { Failure, unprocessable } from "#failure";
import type { Caller } from "#http/endpoint/caller.ts";
import { serve } from "#http/endpoint/serve.ts";
import { choicesOf, tagFilterOf } from "#http/query/tag-filter.ts";
import { isoRange, rangeOf, toWholeMinutes } from "#http/query/time-range.ts";
import type { Damage } from "#stacks/open-profile.ts";
import { taskFile } from "#stacks/pool.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { queryAtMostOne } from "#store/column/query.ts";
import { type Original, readOriginal, type StoredAs } from "#store/payloads/read-payload.ts";
import { type ProfileRow, storedAs } from "#store/profiles/profile-row.ts";
import {
  type ChartRange,
  type LatestStacks,
  latestStacks,
  overStacks,
  previousProfile,
} from "./latest-stacks.ts";
import { toContention, toCustom, toGoroutines, toProfile, toSeries } from "./present.ts";
import type * as states from "./recorded-states.ts";
import type * as tasks from "./tasks.ts";

const stateTasks = taskFile<typeof states>(new URL("./recorded-states.ts", import.meta.url));
const chartTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

export function registerCharts(app: FastifyInstance, ctx: Context): void {
  serve(app, ctx, calls.goroutineChart, getGoroutineChart);
  serve(app, ctx, calls.mutexChart, contentionChart("mutex"));
  serve(app, ctx, calls.blockChart, contentionChart("block"));
  serve(app, ctx, calls.customChart, getCustomChart);
  serve(app, ctx, calls.serviceGoroutines, getServiceGoroutines);
  serve(app, ctx, calls.serviceMutex, serviceContention("mutex"));
  serve(app, ctx, calls.serviceBlock, serviceContention("block"));
  serve(app, ctx, calls.serviceCustom, getServiceCustom);
}

type ChartType = "goroutine" | "mutex" | "block" | "custom";

/** How long before a profile the earlier one may be: growth since an older one means nothing. */
const lookBackMs = dayMs;

type OfProfile = InputOf<typeof calls.goroutineChart>;
type OfService = InputOf<typeof calls.serviceGoroutines>;

async function getGoroutineChart(
  context: Context,
  { orgId }: Actor,
  { profileId }: OfProfile,
  { log }: Caller,
): Promise<ReplyOf<typeof calls.goroutineChart>> {
  const ctx = { ...context, log };
  const row = await rowOf(ctx, orgId, profileId, "goroutine");
  const [original, before] = await Promise.all([
    readOriginal(ctx.payloads, orgId, storedAs(row)),
    findPrevious(ctx, orgId, row),
  ]);
  const previous = before && (await readUnlessDamaged(ctx, orgId, { ...before, type: row.type }));
  const chart = await ctx.decoders.open(chartTasks, "goroutinesOfProfile", { original, previous });
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
  return queryAtMostOne(ctx.columns, previousProfile, {
    orgId,
    service: row.service,
    type: row.type,
    from: new Date(to.getTime() - lookBackMs),
    to,
    tagNames: Object.keys(row.tags),
    tagValues: Object.values(row.tags),
  });
}

function contentionChart(type: "mutex" | "block") {
  return async (
    ctx: Context,
    { orgId }: Actor,
    { profileId }: OfProfile,
  ): Promise<ReplyOf<typeof calls.mutexChart>> => {
    const row = await rowOf(ctx, orgId, profileId, type);
    const chart = await ctx.decoders.open(
      chartTasks,
      "contentionOfProfile",
      await readOriginal(ctx.payloads, orgId, storedAs(row)),
    );
    const covers = row.duration_ns === 0n ? "process" : "window";
    return { profile: toProfile(row), covers, ...toContention(chart, type) };
  };
}

async function getCustomChart(
  ctx: Context,
  { orgId }: Actor,
  { profileId }: OfProfile,
): Promise<ReplyOf<typeof calls.customChart>> {
  const row = await rowOf(ctx, orgId, profileId, "custom");
  const chart = await ctx.decoders.open(
    chartTasks,
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
async function getServiceGoroutines(
  context: Context,
  actor: Actor,
  input: OfService,
  { log }: Caller,
): Promise<ReplyOf<typeof calls.serviceGoroutines>> {
  const ctx = { ...context, log };
  const range = rangeFor("goroutine", ctx, actor, input);
  const latest = await latestStacks(ctx, range);
  const [sum] = latest.sums.slice(-1);
  const [growth] = latest.growth.slice(-1);
  const columns: StackColumn[] = [
    ...(sum === undefined ? [] : [{ ...sum, divisor: latest.profiles.length }]),
    ...(growth === undefined ? [] : [{ ...growth, divisor: 1 }]),
  ];
  const originals = await dumpsOf(ctx, range.orgId, latest.profiles);
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.run(chartTasks, "goroutinesOfStacks", { stored, originals }),
  );
  for (const damage of chart.damages) logDamage(ctx, damage);
  return { ...toRange(range, latest), aggregation: "mean", ...toGoroutines(chart) };
}

/** The payloads of the latest profiles if the newest one records states; reading them for nothing would take too long. */
async function dumpsOf(ctx: Context, orgId: string, profiles: LatestStacks["profiles"]): Promise<Original[]> {
  const [newest, ...others] = latestWithin(profiles, payloadBytesMax);
  const first = newest && (await readUnlessDamaged(ctx, orgId, { ...newest, type: "goroutine" }));
  const states = first && (await ctx.decoders.run(stateTasks, "hasRecordedStates", first));
  if (states?.damage !== undefined) logDamage(ctx, states.damage);
  if (first === undefined || states?.value !== true) return [];
  return [first, ...(await readAll(ctx, orgId, others, "goroutine"))];
}

async function readAll(
  ctx: Context,
  orgId: string,
  profiles: LatestStacks["profiles"],
  type: "custom" | "goroutine",
): Promise<Original[]> {
  const originals: Original[] = [];
  for (const profile of profiles) {
    const original = await readUnlessDamaged(ctx, orgId, { ...profile, type });
    if (original !== undefined) originals.push(original);
  }
  return originals;
}

function serviceContention(type: "mutex" | "block") {
  return async (
    ctx: Context,
    actor: Actor,
    input: OfService,
  ): Promise<ReplyOf<typeof calls.serviceMutex>> => {
    const range = rangeFor(type, ctx, actor, input);
    const latest = await latestStacks(ctx, range);
    const columns = latest.sums.map((sum) => ({ ...sum, divisor: 1 }));
    const chart = await overStacks(ctx, range, columns, (stored) =>
      ctx.decoders.run(chartTasks, "contentionOfStacks", stored),
    );
    return { ...toRange(range, latest), aggregation: "sum", ...toContention(chart, type) };
  };
}

/** Labels are only in the payloads, and reading all of them would take too long. */
const payloadBytesMax = 8 * 1024 * 1024;

async function getServiceCustom(
  context: Context,
  actor: Actor,
  input: OfService,
  { log }: Caller,
): Promise<ReplyOf<typeof calls.serviceCustom>> {
  const ctx = { ...context, log };
  const range = rangeFor("custom", ctx, actor, input);
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({
    ...sum,
    divisor: isGauge(sum.sampleType) ? latest.profiles.length : 1,
  }));
  const originals = await readAll(ctx, range.orgId, latestWithin(latest.profiles, payloadBytesMax), "custom");
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.run(chartTasks, "customOfStacks", { stored, originals }),
  );
  for (const damage of chart.damages) logDamage(ctx, damage);
  return { ...toRange(range, latest), labels_profiles: chart.labelProfiles, ...toCustom(chart) };
}

function rangeFor(
  type: ChartType,
  ctx: Context,
  { orgId }: Actor,
  { service, limit, ...query }: OfService,
): ChartRange {
  const range = toWholeMinutes(rangeOf(query, ctx.now()));
  return { orgId, service, type, ...range, ...choicesOf(tagFilterOf(query)), limit };
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

function toRange(range: ChartRange, { profiles }: LatestStacks) {
  return {
    service: range.service,
    ...isoRange(range),
    profiles_merged: profiles.length,
    series: toSeries(profiles),
  };
}

/** A chart that also needs other profiles is made without the damaged ones; the log names them. */
const message = "a chart is made without a profile whose original bytes are damaged or missing";

function logDamage({ log }: Context, { profileId, reason }: Damage): void {
  log.warn({ profileId, reason }, message);
}

/** Undefined if the original bytes are damaged. */
async function readUnlessDamaged(
  ctx: Context,
  orgId: string,
  stored: StoredAs,
): Promise<Original | undefined> {
  try {
    return await readOriginal(ctx.payloads, orgId, stored);
  } catch (error) {
    if (!(error instanceof Failure && error.code === "damaged")) throw error;
    ctx.log.warn({ err: error.cause, profileId: stored.profileId }, message);
    return undefined;
  }
}

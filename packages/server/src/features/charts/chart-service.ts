import type { ServiceContention, ServiceCustom, ServiceGoroutines } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import type { Context } from "#context";
import type { StackColumn } from "#decoding/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { readWhere, reportDamage } from "./damages.ts";
import { type ChartRange, type LatestStacks, latestStacks, overStacks } from "./latest-stacks.ts";
import { toContention, toCustom, toGoroutines, toSeries } from "./present.ts";

/** Goroutines are a gauge: the mean over the profiles. */
export async function serviceGoroutinesOf(ctx: Context, range: ChartRange): Promise<ServiceGoroutines> {
  const latest = await latestStacks(ctx, range);
  const [sum] = latest.sums.slice(-1);
  const [growth] = latest.growth.slice(-1);
  const columns: StackColumn[] = [
    ...(sum === undefined ? [] : [{ ...sum, divisor: latest.profiles.length }]),
    ...(growth === undefined ? [] : [{ ...growth, divisor: 1 }]),
  ];
  const chart = await overStacks(ctx, range, columns, ctx.decoders.goroutinesOfStacks);
  return { ...toRange(range, latest), aggregation: "mean", ...toGoroutines(chart) };
}

export async function serviceContentionOf(
  ctx: Context,
  range: ChartRange,
  type: "mutex" | "block",
): Promise<ServiceContention> {
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({ ...sum, divisor: 1 }));
  const chart = await overStacks(ctx, range, columns, ctx.decoders.contentionOfStacks);
  return { ...toRange(range, latest), aggregation: "sum", ...toContention(chart, type) };
}

/** Labels are only in the payloads; of large ones the latest have to do. */
const payloadBytesMax = 8 * 1024 * 1024;

export async function serviceCustomOf(ctx: Context, range: ChartRange): Promise<ServiceCustom> {
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({
    ...sum,
    divisor: isGauge(sum.sampleType) ? latest.profiles.length : 1,
  }));
  const originals: Original[] = [];
  for (const profileId of latestWithin(latest.profiles, payloadBytesMax)) {
    const original = await readWhere(ctx, range.orgId, profileId);
    if (original !== undefined) originals.push(original);
  }
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.customOfStacks({ stored, originals }),
  );
  for (const damage of chart.damages) reportDamage(ctx, damage);
  return { ...toRange(range, latest), labels_profiles: chart.labelProfiles, ...toCustom(chart) };
}

/** Ids of the latest profiles whose payloads come to so many bytes; at least one. */
function latestWithin(profiles: LatestStacks["profiles"], bytesMax: number): string[] {
  const ids: string[] = [];
  let bytes = 0;
  for (const { profileId, payloadBytes } of profiles.toReversed()) {
    bytes += payloadBytes;
    if (ids.length > 0 && bytes > bytesMax) break;
    ids.push(profileId);
  }
  return ids;
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

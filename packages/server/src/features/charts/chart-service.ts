import type { ServiceContention, ServiceCustom, ServiceGoroutines } from "@flamekeep/contract";
import { isGauge } from "@flamekeep/profile";
import type { Context } from "#context";
import type { StackColumn } from "#decoding/stored-stacks.ts";
import { readPayload } from "#store/profiles/find-profile.ts";
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

/** Payloads read at a time: they hold the labels. */
const payloadsAtOnce = 8;

export async function serviceCustomOf(ctx: Context, range: ChartRange): Promise<ServiceCustom> {
  const latest = await latestStacks(ctx, range);
  const columns = latest.sums.map((sum) => ({
    ...sum,
    divisor: isGauge(sum.sampleType) ? latest.profiles.length : 1,
  }));
  const payloads: Uint8Array[] = [];
  for (let from = 0; from < latest.profiles.length; from += payloadsAtOnce) {
    const some = latest.profiles.slice(from, from + payloadsAtOnce);
    payloads.push(
      ...(await Promise.all(some.map(({ profileId }) => readPayload(ctx.columns, range.orgId, profileId)))),
    );
  }
  const chart = await overStacks(ctx, range, columns, (stored) =>
    ctx.decoders.customOfStacks({ stored, payloads }),
  );
  return { ...toRange(range, latest), ...toCustom(chart) };
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

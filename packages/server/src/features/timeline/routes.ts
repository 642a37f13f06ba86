import * as calls from "@flamekeep/contract";
import {
  type InputOf,
  type ProfileTab,
  profileTypeEntry,
  profileTypes,
  type serviceTimeline,
  spanMs,
  type Timeline,
  type TimelinePoint,
} from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { serve } from "#http/endpoint/serve.ts";
import {
  type Buckets,
  bucketStarts,
  bucketsOf,
  completeSpan,
  isoRange,
  rangeOf,
  secondsOf,
  spanText,
} from "#http/query/time-range.ts";
import type { Profiles } from "#store/column/column-store.ts";
import { hourOf } from "#store/column/utc.ts";
import { listDeploys } from "./deploys.ts";
import { customByBucket, usageByBucket } from "./queries.ts";
import { getSeries } from "./series.ts";
import { listTags } from "./tags.ts";

export function registerTimeline(app: FastifyInstance, ctx: Context): void {
  for (const call of [calls.typeTimeline, calls.serviceTimeline]) serve(app, ctx, call, getTimeline);
  serve(app, ctx, calls.serviceSeries, getSeries);
  serve(app, ctx, calls.listServiceTags, listTags);
  serve(app, ctx, calls.listDeploys, listDeploys);
}

type Input = InputOf<typeof serviceTimeline> & { readonly type?: ProfileTab };

/** The use of a service in each bucket of a range, from the totals of minutes. */
export async function getTimeline(
  ctx: Context,
  { orgId }: Actor,
  { service, type = "all", bucket, ...times }: Input,
): Promise<Timeline> {
  const now = ctx.now();
  const range = rangeOf(times, now);
  const buckets = bucketsOf(range, spanMs(bucket)!);
  const params = {
    orgId,
    service,
    ...secondsOf(buckets),
    bucketSeconds: buckets.widthMs / 1000,
  };
  const [usage, custom] = await Promise.all([
    type === "custom" ? [] : readUsage(ctx, { ...params, ...namesOf(type) }, now),
    type === "custom" || type === "all" ? ctx.columns.query(customByBucket, params) : [],
  ]);
  return {
    service,
    type,
    bucket: spanText(buckets.widthMs),
    bucket_widened: buckets.isWidened,
    ...isoRange(buckets),
    ...completeSpan(buckets, range, now),
    data_points: toPoints(buckets, type, usage, custom),
  };
}

type Usage = z.output<typeof usageByBucket.row>;
type UsageParams = z.output<typeof usageByBucket.params>;

/** The hour of `now` gets profiles, while the others seldom do: it is read alone, the others are cached. A bucket may be in both. */
async function readUsage({ columns }: Context, params: UsageParams, now: Date): Promise<Usage[]> {
  const presentHour = hourOf(Math.floor(now.getTime() / 1000));
  const { fromSeconds, toSeconds } = params;
  const isCut = presentHour > fromSeconds && presentHour < toSeconds;
  const parts = isCut
    ? [
        { ...params, toSeconds: presentHour },
        { ...params, fromSeconds: presentHour },
      ]
    : [params];
  return columns.awaitedRows.withWaiting(
    params,
    async () => (await Promise.all(parts.map((part) => columns.direct.query(usageByBucket, part)))).flat(),
    (stored, waiting) => [...stored, ...waiting.flatMap((profiles) => usageOf(profiles, params))],
  );
}

/** The rows of `usageByBucket` of profiles of its organization and service. */
function usageOf(
  { type, sampleTypes, startedMs, durationNs, deltas }: Profiles,
  { types, sampleTypes: wanted, fromSeconds, toSeconds, bucketSeconds }: UsageParams,
): Usage[] {
  if (!types.includes(type)) return [];
  const isInRange = (ms: number) => ms >= fromSeconds * 1000 && ms < toSeconds * 1000;
  const places = [...startedMs.keys()].filter((at) => isInRange(startedMs[at]!));
  const sums = {
    type,
    starts: places.map((at) => Math.floor(startedMs[at]! / 1000 / bucketSeconds)),
    profiles: places.map(() => 1),
    durationsNs: places.map((at) => durationNs[at]!),
  };
  const totalsOf = (column: number) => places.map((at) => deltas[at * sampleTypes.length + column]!);
  return sampleTypes.flatMap((sampleType, column) =>
    wanted.includes(sampleType) ? { ...sums, sampleType, totals: totalsOf(column) } : [],
  );
}

function namesOf(type: ProfileTab): { types: string[]; sampleTypes: string[] } {
  const figures = figuresOf(type);
  return {
    types: [...new Set(figures.map((figure) => figure.type))],
    sampleTypes: [...new Set(figures.flatMap(({ sampleTypes }) => sampleTypes))],
  };
}

type Custom = z.output<typeof customByBucket.row>;

interface Sums {
  readonly total: number;
  readonly profiles: number;
  readonly durationNs: number;
}

/** The figure of a bucket's sums; NaN if it has none. Values of a gauge at different moments cannot be summed. */
const figureOf = {
  seconds: ({ total }: Sums) => total / 1e9,
  mean: ({ total, profiles }: Sums) => total / profiles,
  percent: ({ total, durationNs }: Sums) => (durationNs === 0 ? Number.NaN : (100 * total) / durationNs),
};

function figuresOf(tab: ProfileTab) {
  const types = profileTypes.filter((type) => tab === "all" || tab === type);
  return types.flatMap((type) => {
    const { figures = [], measuredBy } = profileTypeEntry(type);
    return figures.map((figure) => ({ type, sampleTypes: measuredBy as readonly string[], ...figure }));
  });
}

/** A point for every bucket, with every field of the type; null if the store has no value. */
function toPoints(
  buckets: Buckets,
  type: ProfileTab,
  usage: readonly Usage[],
  custom: readonly Custom[],
): TimelinePoint[] {
  const figures = figuresOf(type);
  const blank = Object.fromEntries(figures.map(({ field }) => [field, null]));
  const points: TimelinePoint[] = bucketStarts(buckets).map((timestamp) => ({ timestamp, ...blank }));
  const first = buckets.fromMs / buckets.widthMs;
  for (const { type: owner, sampleTypes, field, of } of figures) {
    const rows = usage.filter((row) => row.type === owner && sampleTypes.includes(row.sampleType));
    for (const [start, sums] of sumsByBucket(rows)) {
      const value = figureOf[of](sums);
      points[start - first]![field] = Number.isNaN(value) ? null : value;
    }
  }
  if (type === "all" || type === "custom") addCustom(points, first, custom);
  return points;
}

/** Goroutine and memory profiles use one of two sample types, and a service may have both. */
function sumsByBucket(rows: readonly Usage[]): Map<number, Sums> {
  const sums = new Map<number, Sums>();
  for (const { starts, totals, profiles, durationsNs } of rows) {
    for (const [index, start] of starts.entries()) {
      const before = sums.get(start) ?? { total: 0, profiles: 0, durationNs: 0 };
      sums.set(start, {
        total: before.total + totals[index]!,
        profiles: before.profiles + profiles[index]!,
        durationNs: before.durationNs + durationsNs[index]!,
      });
    }
  }
  return sums;
}

function addCustom(points: TimelinePoint[], first: number, custom: readonly Custom[]): void {
  for (const point of points) point.custom_values = null;
  for (const { sampleType, starts, means } of custom) {
    for (const [row, start] of starts.entries()) {
      const point = points[start - first]!;
      point.custom_values = { ...point.custom_values, [sampleType]: means[row]! };
    }
  }
}

import {
  type InputOf,
  type ProfileTab,
  type serviceTimeline,
  spanMs,
  type Timeline,
} from "@flamekeep/contract";
import { measuredSampleTypes } from "@flamekeep/profile";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { bucketsOf, completeSpan, rangeOf, secondsOf, spanText } from "#http/query/time-range.ts";
import { hourOf } from "#store/column/utc.ts";
import { figuresOf, toPoints } from "./present.ts";
import { customByBucket, usageByBucket } from "./queries.ts";

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
    from: new Date(buckets.fromMs).toISOString(),
    to: new Date(buckets.toMs).toISOString(),
    ...completeSpan(buckets, range, now),
    data_points: toPoints(buckets, type, usage, custom),
  };
}

type Usage = z.output<typeof usageByBucket.row>;

/** The hour of `now` gets profiles, while the others seldom do: it is read alone, the others are cached. A bucket may be in both. */
async function readUsage(
  { columns }: Context,
  params: z.output<typeof usageByBucket.params>,
  now: Date,
): Promise<Usage[]> {
  const presentHour = hourOf(Math.floor(now.getTime() / 1000));
  const { fromSeconds, toSeconds } = params;
  if (presentHour <= fromSeconds || presentHour >= toSeconds) return columns.query(usageByBucket, params);
  const parts = await Promise.all([
    columns.query(usageByBucket, { ...params, toSeconds: presentHour }),
    columns.query(usageByBucket, { ...params, fromSeconds: presentHour }),
  ]);
  return parts.flat();
}

function namesOf(type: ProfileTab): { types: string[]; sampleTypes: string[] } {
  const types = [...new Set(figuresOf(type).map((figure) => figure.type))];
  return { types, sampleTypes: [...new Set(types.flatMap((each) => measuredSampleTypes[each]))] };
}

import { type ProfileTab, spanMs, type Timeline, type typeTimeline } from "@flamekeep/contract";
import type { z } from "zod";
import type { Context, DemoActor, UserActor } from "#context";
import { bucketsOf, rangeOf, spanText } from "#http/query/time-range.ts";
import { shownFigures, toPoints } from "./present.ts";
import { customByBucket, usageByBucket } from "./queries.ts";

interface Input {
  readonly service: string;
  readonly type: ProfileTab;
  readonly query: z.output<(typeof typeTimeline)["query"]>;
}

/** What a service used in each bucket of a range, from the minutes' totals. */
export async function readTimeline(
  ctx: Context,
  { orgId }: UserActor | DemoActor,
  { service, type, query }: Input,
): Promise<Timeline> {
  const buckets = bucketsOf(rangeOf(query, ctx.now()), spanMs(query.bucket)!);
  const asked = {
    orgId,
    service,
    fromSeconds: buckets.fromMs / 1000,
    toSeconds: buckets.toMs / 1000,
    bucketSeconds: buckets.widthMs / 1000,
  };
  const [usage, custom] = await Promise.all([
    type === "custom" ? [] : ctx.columns.query(usageByBucket, { ...asked, ...namesOf(type) }),
    type === "custom" || type === "all" ? ctx.columns.query(customByBucket, asked) : [],
  ]);
  return {
    service,
    type,
    bucket: spanText(buckets.widthMs),
    bucket_widened: buckets.isWidened,
    from: new Date(buckets.fromMs).toISOString(),
    to: new Date(buckets.toMs).toISOString(),
    data_points: toPoints(buckets, type, usage, custom),
  };
}

function namesOf(type: ProfileTab): { types: string[]; sampleTypes: string[] } {
  const shown = shownFigures(type);
  return {
    types: [...new Set(shown.map((figure) => figure.type))],
    sampleTypes: [...new Set(shown.flatMap((figure) => figure.sampleTypes))],
  };
}

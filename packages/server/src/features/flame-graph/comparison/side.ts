import type { FlameGraphDiff, flameGraphDiff } from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import type { ProfileType } from "@flamekeep/profile";
import type { z } from "zod";
import type { Context } from "#context";
import type { MergeRange } from "#decoding/ranges/requested-range.ts";
import { invalid, unprocessable } from "#failure";
import { noStacks } from "#flame-graph/reply/drawing-errors.ts";
import { type LabelFilter, labelFilterOf } from "#http/query/label-filter.ts";
import { type TagFilter, tagFilterOf } from "#http/query/tag-filter.ts";
import { boundedRange, momentMs, toWholeMinutes } from "#http/query/time-range.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";

type DiffQuery = z.output<(typeof flameGraphDiff)["query"]>;
export type SideName = keyof Pick<FlameGraphDiff, "before" | "after">;

/** A side as the caller names it, with the profile's row or the range. */
export type Side =
  | {
      readonly kind: "profile";
      readonly orgId: string;
      readonly row: ProfileRow & { readonly type: ProfileType };
      readonly labels: LabelFilter;
    }
  | { readonly kind: "range"; readonly range: MergeRange };

export interface Sides {
  readonly before: Side;
  readonly after: Side;
  readonly type: ProfileType;
  /** As the caller names it; undefined for the main one. */
  readonly sampleType: string | undefined;
}

/**
 * Both sides of a query. Throws `not_found` for an unknown profile and for one of another organization, `invalid` if a side is
 * incomplete, and `unprocessable` for two profiles of different types.
 */
export async function readSides(ctx: Context, orgId: string, query: DiffQuery): Promise<Sides> {
  const [before, after] = await Promise.all([
    readProfile(ctx, orgId, query.before_profile),
    readProfile(ctx, orgId, query.after_profile),
  ]);
  if (before !== undefined && after !== undefined && before.type !== after.type)
    throw unprocessable(
      `A ${before.type} profile cannot be compared with a ${after.type} profile: choose two of one type`,
    );
  const sampleType = query.sample_type ?? (query.type === "wall" ? "wall" : undefined);
  const type = before?.type ?? after?.type ?? (query.type === "wall" ? "custom" : query.type);
  if (type === undefined) throw invalid("Query parameter type is missing: give the type of the profiles");
  const nowMs = ctx.now().getTime();
  const afterTimes =
    after === undefined
      ? toWholeMinutes(
          boundedRange(momentMs(query.after_from, nowMs), momentMs(query.after_to, nowMs), nowMs),
        )
      : { fromMs: after.started_at.getTime(), toMs: after.started_at.getTime() };
  const labelsOfSide = (name: SideName) => labelFilterOf(query[`${name}_labels`], `${name}_labels`);
  const rangeSide = (name: SideName, fromMs: number, toMs: number): Side => {
    const service = query[`${name}_service`] ?? query.service ?? (before ?? after)?.service;
    if (service === undefined)
      throw invalid("Query parameter service is missing: give the service of the profiles");
    const filter = { ...tagFilterOf({ tags: query[`${name}_tags`] }), labels: labelsOfSide(name) };
    return { kind: "range", range: mergeRange({ orgId, service, type, ...filter }, { fromMs, toMs }) };
  };
  return {
    type,
    sampleType,
    before:
      before === undefined
        ? rangeSide("before", ...beforeTimes(query, afterTimes, nowMs))
        : { kind: "profile", orgId, row: before, labels: labelsOfSide("before") },
    after:
      after === undefined
        ? rangeSide("after", afterTimes.fromMs, afterTimes.toMs)
        : { kind: "profile", orgId, row: after, labels: labelsOfSide("after") },
  };
}

async function readProfile(ctx: Context, orgId: string, profileId: string | undefined) {
  if (profileId === undefined) return undefined;
  const row = await ctx.profiles.read(orgId, profileId);
  const { type } = row;
  if (type === "metrics") throw unprocessable(noStacks);
  return { ...row, type };
}

/** By default the time just before the second side, of the same length; one hour before a profile. */
function beforeTimes(
  query: DiffQuery,
  after: { readonly fromMs: number; readonly toMs: number },
  nowMs: number,
): [fromMs: number, toMs: number] {
  const toMs = query.before_to === undefined ? after.fromMs : momentMs(query.before_to, nowMs);
  const lengthMs = after.toMs - after.fromMs || hourMs;
  const fromMs = query.before_from === undefined ? toMs - lengthMs : momentMs(query.before_from, nowMs);
  const range = boundedRange(fromMs, toMs, nowMs);
  return [range.fromMs, range.toMs];
}

function mergeRange(
  series: Pick<MergeRange, "orgId" | "service" | "type" | "labels"> & TagFilter,
  times: { readonly fromMs: number; readonly toMs: number },
): MergeRange {
  const { fromMs, toMs } = toWholeMinutes(times);
  return { ...series, from: new Date(fromMs), to: new Date(toMs) };
}

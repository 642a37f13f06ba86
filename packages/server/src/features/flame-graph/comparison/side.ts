import {
  type FlameGraphDiff,
  type flameGraphDiff,
  type InputOf,
  namedSampleType,
  type ProfileType,
  storedTypeOf,
} from "@flamekeep/contract";
import { hourMs } from "@flamekeep/contract/durations";
import type { Context } from "#context";
import { invalid, unprocessable } from "#failure";
import { noStacks } from "#flame-graph/reply/drawing-errors.ts";
import { type LabelFilter, labelFilterOf } from "#http/query/label-filter.ts";
import { choicesOf, tagFilterOf } from "#http/query/tag-filter.ts";
import {
  boundedRange,
  momentMs,
  separateMinutes,
  type TimeRange,
  toWholeMinutes,
} from "#http/query/time-range.ts";
import type { MergeRange } from "#stacks/ranges/requested-range.ts";
import type { ProfileRow } from "#store/profiles/profile-row.ts";

type DiffQuery = InputOf<typeof flameGraphDiff>;
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
  const sampleType = query.sample_type ?? namedSampleType(query.type);
  const type = before?.type ?? after?.type ?? (query.type && storedTypeOf(query.type));
  if (type === undefined) throw invalid("Query parameter type is missing: give the type of the profiles");
  const nowMs = ctx.now().getTime();
  const rows = { before, after };
  const times = timesOf(query, rows, nowMs);
  const side = (name: SideName): Side => {
    const row = rows[name];
    const range = times[name];
    const labels = labelFilterOf(query[`${name}_labels`], `${name}_labels`);
    if (row !== undefined) return { kind: "profile", orgId, row, labels };
    const service = query[`${name}_service`] ?? query.service ?? (before ?? after)?.service;
    if (service === undefined || range === undefined)
      throw invalid("Query parameter service is missing: give the service of the profiles");
    const tags = choicesOf(tagFilterOf({ tags: query[`${name}_tags`] }));
    const [from, to] = [new Date(range.fromMs), new Date(range.toMs)];
    return { kind: "range", range: { orgId, service, type, from, to, ...tags, labels } };
  };
  return { type, sampleType, before: side("before"), after: side("after") };
}

async function readProfile(ctx: Context, orgId: string, profileId: string | undefined) {
  if (profileId === undefined) return undefined;
  const row = await ctx.profiles.read(orgId, profileId);
  const { type } = row;
  if (type === "metrics") throw unprocessable(noStacks);
  return { ...row, type };
}

/** The ranges of the sides; undefined for a profile. */
function timesOf(
  query: DiffQuery,
  { before, after }: Record<SideName, ProfileRow | undefined>,
  nowMs: number,
): Record<SideName, TimeRange | undefined> {
  const afterRange =
    after === undefined
      ? boundedRange(momentMs(query.after_from, nowMs), momentMs(query.after_to, nowMs), nowMs)
      : undefined;
  if (before !== undefined)
    return { before: undefined, after: afterRange === undefined ? undefined : toWholeMinutes(afterRange) };
  const startedMs = after?.started_at.getTime() ?? nowMs;
  // A range just before a profile ends with the minute before it, so that the profile is not on both sides.
  const afterMinutes = toWholeMinutes(afterRange ?? { fromMs: startedMs, toMs: startedMs });
  const lengthMs = afterRange === undefined ? hourMs : afterMinutes.toMs - afterMinutes.fromMs;
  const toMs = query.before_to === undefined ? afterMinutes.fromMs : momentMs(query.before_to, nowMs);
  const fromMs = query.before_from === undefined ? toMs - lengthMs : momentMs(query.before_from, nowMs);
  const beforeRange = boundedRange(fromMs, toMs, nowMs);
  if (afterRange === undefined) return { before: toWholeMinutes(beforeRange), after: undefined };
  const [beforeMinutes, minutes] = separateMinutes(beforeRange, afterRange);
  return { before: beforeMinutes, after: minutes };
}

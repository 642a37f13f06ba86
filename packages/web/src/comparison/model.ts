import type { Deploy } from "@flamekeep/contract";
import { type CallTree, withoutFrameRefs } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { hasSameTags, type Subject } from "#ai-analysis/subject.ts";
import type { TimeSpan } from "#charts/model/series.ts";
import { bucketFor } from "#profile-series/buckets.ts";
import type { CompareSearch } from "./search.ts";

export const sideNames = ["before", "after"] as const;
export type SideName = (typeof sideNames)[number];

/** The sides without profiles, or without samples that have their labels. Profiles whose total is 0 can be compared. */
export function emptySides(meta: ComparisonMeta): SideName[] {
  return sideNames.filter((name) => {
    const { profiles, labels, total } = meta[name];
    return profiles === 0 || (labels !== undefined && total === 0);
  });
}

/** Whether both sides have something that can be compared. */
export function isComparable({ length }: Pick<CallTree, "length">, meta: ComparisonMeta): boolean {
  return length > 1 && emptySides(meta).length === 0;
}

export function spanOfSide({ from, to }: SideMeta): TimeSpan {
  return { fromMs: Date.parse(from), toMs: Date.parse(to) };
}

/** A timeline is at most this much longer than the range on it, which must stay wide enough to see and to drag. */
const timelineRatioMax = 12;

/**
 * The time on the timeline of each side: both ranges and some time around them, so that both timelines have one axis. If the ranges
 * are too far apart, each timeline has only its own range, with more time around it.
 */
export function windowsOf(meta: ComparisonMeta, nowMs: number): Readonly<Record<SideName, TimeSpan>> {
  const before = spanOfSide(meta.before);
  const after = spanOfSide(meta.after);
  const shortest = Math.min(lengthOf(before), lengthOf(after));
  const all = {
    fromMs: Math.min(before.fromMs, after.fromMs),
    toMs: Math.max(before.toMs, after.toMs),
  };
  if (lengthOf(all) <= timelineRatioMax * shortest) {
    const both = widened(all, lengthOf(all) / 4, nowMs);
    return { before: both, after: both };
  }
  return {
    before: widened(before, 2 * lengthOf(before), nowMs),
    after: widened(after, 2 * lengthOf(after), nowMs),
  };
}

function lengthOf({ fromMs, toMs }: TimeSpan): number {
  return Math.max(60_000, toMs - fromMs);
}

function widened({ fromMs, toMs }: TimeSpan, byMs: number, nowMs: number): TimeSpan {
  const minute = 60_000;
  const end = Math.max(toMs, Math.min(nowMs, toMs + byMs));
  return {
    fromMs: Math.floor((fromMs - byMs) / minute) * minute,
    toMs: Math.ceil(end / minute) * minute,
  };
}

/** Width of a timeline's buckets, narrow enough that dragging can select less than the range. */
export function bucketOf({ fromMs, toMs }: TimeSpan): string {
  return bucketFor(toMs - fromMs);
}

/** The analysis of the comparison. Only two ranges of the same service and tags, both with profiles, can be analyzed. */
export function analysisSubjectOf(
  { type }: Pick<CompareSearch, "type">,
  { before, after }: ComparisonMeta,
): Subject | undefined {
  const sides = [before, after];
  const isRange = sides.every(({ profileId, profiles }) => profileId === null && profiles > 0);
  if (type === undefined || !isRange || before.service !== after.service) return undefined;
  if (sides.some(({ labels }) => labels !== undefined)) return undefined;
  if (!hasSameTags(before.tags, after.tags)) return undefined;
  const rangeOf = ({ from, to }: SideMeta) => ({ from, to });
  const { service, tags } = after;
  return { kind: "range", service, type, tags, range: rangeOf(after), baseline: rangeOf(before) };
}

/** The tags of both sides that have different values, as `version: 1.8.0 → 1.9.0`; empty if there are none. */
export function differentTags({ before, after }: ComparisonMeta): string {
  return Object.entries(before.tags)
    .filter(([name, value]) => after.tags[name] !== undefined && after.tags[name] !== value)
    .map(([name, value]) => `${name}: ${value} → ${after.tags[name]}`)
    .join(", ");
}

/** The release nearest to the begin of the later side, in the time of both sides. */
export function deployBetween(
  { before, after }: ComparisonMeta,
  deploys: readonly Deploy[],
): Deploy | undefined {
  const [earlier, later] = [before, after].map(spanOfSide).sort((a, b) => a.fromMs - b.fromMs) as [
    TimeSpan,
    TimeSpan,
  ];
  const timeOf = ({ timestamp }: Deploy) => Date.parse(timestamp);
  const distanceOf = (deploy: Deploy) => Math.abs(timeOf(deploy) - later.fromMs);
  return deploys
    .filter((deploy) => timeOf(deploy) > earlier.fromMs && timeOf(deploy) < later.toMs)
    .sort((a, b) => distanceOf(a) - distanceOf(b))[0];
}

/** The search parameters with the sides exchanged. */
export function swapped(search: CompareSearch): CompareSearch {
  const exchanged = sideFields.flatMap((field) => [
    [`before_${field}`, search[`after_${field}`]],
    [`after_${field}`, search[`before_${field}`]],
  ]);
  return { ...search, ...Object.fromEntries(exchanged), ...withoutFrameRefs };
}

const sideFields = ["service", "profile", "from", "to", "tags", "labels"] as const;

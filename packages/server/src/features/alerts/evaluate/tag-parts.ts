import type { z } from "zod";
import { reachMs } from "#alerts/detect/opening/first-days.ts";
import { datesOf } from "#alerts/detect/series/series.ts";
import { toHttpSeries } from "#alerts/detect/watched/http-signals.ts";
import { measureOf } from "#alerts/detect/watched/measure.ts";
import type { Evaluation, ObservedSeries } from "#alerts/detect/watched/observed.ts";
import type { Circumstances } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { instanceTags } from "#store/profiles/tag-names.ts";
import { tagSums } from "./describe-queries.ts";

type TagSums = z.output<(typeof tagSums)["row"]>;
type Parts = Circumstances["parts"];

/** A service with more sets of tags than this has its instances together. */
const partsMax = 50;

/** How a rise is divided over the tags of its profiles. */
export async function tagParts(
  ctx: Context,
  orgId: string,
  { service, type, sampleType }: ObservedSeries,
  { window, baseline, scope, previous, means }: Evaluation,
): Promise<Parts> {
  const isOfRequests = toHttpSeries(sampleType) !== undefined;
  // A window of requests may be shorter than the time between two profiles.
  const span = isOfRequests ? { fromMs: window.toMs - reachMs, toMs: window.toMs } : window;
  const rows = await ctx.columns.query(tagSums, {
    orgId,
    service,
    type,
    sampleType,
    ...datesOf(span),
    baselineFrom: new Date(baseline.fromMs),
    baselineTo: new Date(Math.min(baseline.toMs, span.fromMs)),
    instances: [...(scope?.instances ?? [])],
    instanceTags: [...instanceTags],
    isRate: Number(!isOfRequests && measureOf(type, sampleType).kind === "rate"),
  });
  return isOfRequests || scope !== undefined
    ? partsOfProfiles(rows)
    : partsOfRise(rows, means?.previous ?? previous);
}

/**
 * The parts of the rise of the mean, as fractions of it, which sum to 1. A part is negative where the profiles of a set of
 * tags use less or are gone: the instances of an old version take away what the new version's bring.
 *
 * @param previous the mean before, raised by what requests and the time explain
 */
export function partsOfRise(rows: readonly TagSums[], previous: number): Parts {
  const before = { sum: sumOf(rows, "before"), profiles: sumOf(rows, "profilesBefore") };
  const after = { sum: sumOf(rows, "after"), profiles: sumOf(rows, "profilesAfter") };
  if (before.profiles === 0 || after.profiles === 0) return [];
  const rise = after.sum / after.profiles - previous;
  if (rise <= 0) return [];
  const explained = before.sum > 0 ? previous / before.sum : 0;
  return limited(
    rows.map((row) => ({
      tags: row.tags,
      share: (row.after / after.profiles - row.before * explained) / rise,
    })),
  );
}

/** HTTP requests have no tags, and an alert about instances has no mean to divide: the rise is spread over the profiles evenly. */
export function partsOfProfiles(rows: readonly TagSums[]): Parts {
  const profiles = sumOf(rows, "profilesAfter");
  if (profiles === 0) return [];
  return limited(rows.map((row) => ({ tags: row.tags, share: row.profilesAfter / profiles })));
}

function sumOf(rows: readonly TagSums[], field: "before" | "after" | "profilesBefore" | "profilesAfter") {
  return rows.reduce((sum, row) => sum + row[field], 0);
}

function limited(parts: Parts): Parts {
  const all = parts.length <= partsMax ? parts : withoutInstances(parts);
  return all.toSorted((a, b) => Math.abs(b.share) - Math.abs(a.share)).slice(0, partsMax);
}

function withoutInstances(parts: Parts): Parts {
  const grouped = new Map<string, Parts[number]>();
  for (const { tags, share } of parts) {
    const names = Object.keys(tags).filter((name) => !instanceTags.includes(name));
    const kept = Object.fromEntries(names.sort().map((name) => [name, tags[name]!]));
    const key = JSON.stringify(kept);
    grouped.set(key, { tags: kept, share: share + (grouped.get(key)?.share ?? 0) });
  }
  return [...grouped.values()];
}

import { randomUUID } from "node:crypto";
import { hourMs } from "@flamekeep/contract/durations";
import { datesOf, type Span } from "#alerts/detect/series/series.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { withPath } from "#alerts/evaluate/culprit-path.ts";
import { anyProfile, readEvidence } from "#alerts/evaluate/describe-alert.ts";
import { tagSums } from "#alerts/evaluate/describe-queries.ts";
import { beganWith, instancesOn, releaseNear } from "#alerts/evaluate/nearest-release.ts";
import { partsOfProfiles } from "#alerts/evaluate/tag-parts.ts";
import { type FunctionReference, functionSampleType } from "#alerts/row/function-series.ts";
import type { Circumstances, GrownFunction, NewAlert } from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { instanceTags } from "#store/profiles/tag-names.ts";
import { type Figure, type HourlyFunction, withoutClosures } from "./function-figures.ts";
import { heldHours, levelAt, type Shift, usualShare } from "./function-shift.ts";
import type { SeriesHours } from "./read-functions.ts";

/** A figure of a function that rose. */
export interface RisenFigure extends Shift {
  readonly figure: Figure;
  readonly hourly: HourlyFunction;
}

interface Risen {
  readonly hours: SeriesHours;
  readonly totals: Float64Array;
  readonly ends: readonly number[];
  /** At least one. */
  readonly risen: readonly RisenFigure[];
  readonly atMs: number;
}

const functionsShown = 10;
/** A larger part of the service is worth a message of more than information. */
const warningShare = 0.1;
/** The change is within half an hour of the first hour that was high. */
const beganErrorMs = hourMs / 2;
/** The part of the largest rise that a named function has at least: `culpritOf` names none with less. */
const culpritShareMin = 0.05;
/** The application's function is named if it has this part of the largest rise; else libraries or the runtime have it. */
const ownShareMin = 0.5;

/** The stored form of an alert about functions that rose in the same hours. */
export async function describeFunctions(
  ctx: Context,
  described: ObservedSeries,
  { hours, totals, ends, risen, atMs }: Risen,
): Promise<NewAlert> {
  const { firstMs, level, series } = hours;
  const newest = level.length - 1;
  const beganHour = Math.min(...risen.map(({ began }) => began));
  const window = spanOf(newest, firstMs);
  const before = ends.findLast((end) => end < beganHour) ?? ends.at(-1)!;
  const baseline = spanOf(before, firstMs);
  const [newestProfiles, growth] = await readEvidence(ctx, described, series.orgId, { window, baseline });
  const { release, began } = await beginningOf(ctx, series, firstMs + beganHour * hourMs, atMs);
  const now = levelAt(level, newest);
  const grown = grownFunctions(risen, growth, { totals, ends, level: now });
  const culprit = grown[0]!;
  const rise = mainFigure(risen, culprit.name);
  const circumstances: Circumstances = {
    release: release && { ...release, ...instancesOn(release.after, described.observed.instances, atMs) },
    beganErrorMs: began.errorMs,
    highest: null,
    parts: await tagsOfProfiles(ctx, series, window),
    serviceIncrease: now / levelAt(level, before) - 1,
  };
  const reference: FunctionReference = {
    level: now,
    risen: risen.map(({ hourly: { key, name }, figure, before, after }) => ({
      key,
      name,
      figure,
      before,
      after,
    })),
  };
  return {
    id: randomUUID(),
    orgId: series.orgId,
    service: series.service,
    type: series.type,
    sampleType: functionSampleType(series.sampleType, culprit.name),
    profileId: newestProfiles[0]?.profileId ?? (await anyProfile(ctx, series, window.toMs)),
    beganAt: iso(began.atMs),
    openedAt: iso(atMs),
    resolvedAt: null,
    previousValue: rise.before * now,
    currentValue: rise.after * now,
    increase: rise.after / rise.before - 1,
    baselineFrom: iso(baseline.fromMs),
    baselineTo: iso(baseline.toMs),
    currentFrom: iso(window.fromMs),
    currentTo: iso(window.toMs),
    functions: JSON.stringify(await withPath(ctx, series.orgId, grown, growth, { ...baseline, toMs: atMs })),
    reference: JSON.stringify(reference),
    circumstances: JSON.stringify(circumstances),
    severity: rise.after - rise.before >= warningShare ? "warning" : "info",
  };
}

async function beginningOf(ctx: Context, series: SeriesHours["series"], hourStartMs: number, atMs: number) {
  const release = await releaseNear(ctx, series, hourStartMs, atMs);
  const beginning = {
    atMs: hourStartMs,
    earliestMs: hourStartMs - beganErrorMs,
    latestMs: hourStartMs + beganErrorMs,
    gapMs: 0,
  };
  return { release, began: beganWith(release, beginning) };
}

type Growth = Awaited<ReturnType<typeof readEvidence>>[1];

/**
 * The functions that rose, the one to look at first: the application's function nearest to the leaf that has most of the largest rise,
 * else the one with the largest rise by itself. Values at the present level of the service.
 */
export function grownFunctions(
  risen: readonly RisenFigure[],
  growth: Growth,
  {
    totals,
    ends,
    level,
  }: { readonly totals: Float64Array; readonly ends: readonly number[]; readonly level: number },
): Omit<GrownFunction, "path">[] {
  const levelOf = (values: Float64Array) => {
    const { before, after } = usualShare(values, totals, ends);
    return { before: before * level, after: after * level };
  };
  // A closure is a separate row, which belongs to the function around it.
  const rowsByKey = Map.groupBy(growth, ({ name }) => withoutClosures(name));
  const all = [...Map.groupBy(risen, ({ hourly }) => hourly.key)].map(([key, [first]]) => {
    const { self, total } = first!.hourly;
    const own = rowsByKey.get(key)?.toSorted((a, b) => ownRise(b) - ownRise(a))[0];
    return { key, own, self: levelOf(self), total: levelOf(total) };
  });
  const largestOwn = Math.max(0, ...growth.map(ownRise));
  const ofApplication = all
    .filter(({ own }) => own !== undefined && ownRise(own) >= ownShareMin * largestOwn && ownRise(own) > 0)
    .sort((a, b) => ownRise(b.own!) - ownRise(a.own!));
  const bySelf = all.toSorted((a, b) => riseOf(b.self) - riseOf(a.self));
  const [ofOwn] = ofApplication;
  const culprit = ofOwn ?? bySelf[0]!;
  const largest = Math.max(...all.flatMap(({ self, total }) => [riseOf(self), riseOf(total)]));
  const shareOf = (rise: number) => (largest > 0 ? Math.min(1, rise / largest) : 0);
  // A library's function has what it calls as well.
  const culpritRise = ofOwn === undefined ? riseOf(culprit.total) : ownRise(ofOwn.own!) * level;
  return [culprit, ...bySelf.filter((each) => each !== culprit)].slice(0, functionsShown).map((each) => ({
    name: each.own?.name ?? each.key,
    file: each.own?.file ?? "",
    line: each.own?.line ?? 0,
    selfBefore: each.self.before,
    selfAfter: each.self.after,
    totalBefore: each.total.before,
    totalAfter: each.total.after,
    share: shareOf(riseOf(each.self)),
    totalShare: shareOf(riseOf(each.total)),
    ownShare: each === culprit ? Math.max(culpritShareMin, shareOf(culpritRise)) : 0,
  }));
}

function riseOf({ before, after }: { readonly before: number; readonly after: number }): number {
  return after - before;
}

function ownRise({ ownBefore, ownAfter, allBefore, allAfter }: Growth[number]): number {
  return ownAfter / Math.max(1, allAfter) - ownBefore / Math.max(1, allBefore);
}

/** The total of the culprit, if that rose: it is what the function costs. Else its self value. */
function mainFigure(risen: readonly RisenFigure[], name: string): RisenFigure {
  const ofCulprit = risen.filter(({ hourly }) => hourly.key === withoutClosures(name));
  return ofCulprit.find(({ figure }) => figure === "total") ?? ofCulprit[0]!;
}

/** The roll-up has no tags, so the rise is spread evenly over the profiles. */
async function tagsOfProfiles(
  ctx: Context,
  series: SeriesHours["series"],
  window: Span,
): Promise<Circumstances["parts"]> {
  const { from, to } = datesOf(window);
  const range = { ...series, from, to, baselineFrom: from, baselineTo: from };
  const rows = await ctx.columns.query(tagSums, {
    ...range,
    instances: [],
    instanceTags: [...instanceTags],
    isRate: 0,
  });
  return partsOfProfiles(rows);
}

/** Three hours with this end. */
function spanOf(end: number, firstMs: number): Span {
  const toMs = firstMs + (end + 1) * hourMs;
  return { fromMs: toMs - heldHours * hourMs, toMs };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

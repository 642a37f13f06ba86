import { randomUUID } from "node:crypto";
import { dayMs, hourMs } from "@flamekeep/contract/durations";
import { categoryOf, deferWrapper, isWaitingType, waitingPackages } from "@flamekeep/profile";
import type { z } from "zod";
import { reachMs } from "#alerts/detect/opening/first-days.ts";
import { fromBeginning } from "#alerts/detect/opening/from-beginning.ts";
import { beginningIn } from "#alerts/detect/opening/onset.ts";
import { noUsualDay, type Reference, type UsualDay } from "#alerts/detect/resolution/reference.ts";
import { learntDays, profilesMin } from "#alerts/detect/series/scales.ts";
import { datesOf, likelyIncreases, meanOf, requestsIn, type Series } from "#alerts/detect/series/series.ts";
import { toHttpSeries } from "#alerts/detect/watched/http-signals.ts";
import { measureOf } from "#alerts/detect/watched/measure.ts";
import type { Evaluation, Observed, ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { parkedFunctions } from "#alerts/evaluate/parked-functions.ts";
import {
  type Circumstances,
  culpritOf,
  fromReference,
  type GrownFunction,
  type NewAlert,
} from "#alerts/row/stored-alert.ts";
import type { Context } from "#context";
import { instanceTags } from "#store/profiles/tag-names.ts";
import { withPath } from "./culprit-path.ts";
import {
  functionGrowth,
  functionsOfBoth,
  newestOfService,
  newestProfile,
  usualHours,
  usualRequests,
} from "./describe-queries.ts";
import { identityOf, mergedGrowth, namesInFiles } from "./function-identity.ts";
import { beganWith, instancesAlive, instancesOn, releaseNear, valuesSideBySide } from "./nearest-release.ts";
import { tagParts } from "./tag-parts.ts";

const functionsMax = 10;

/** The functions that `waitsForCaller` finds, as a pattern of ClickHouse. */
const waitingFunctions = `^(?:(?:${waitingPackages.join("|")})\\.|internal/)`;
const noFunction = "^$";

const usualDays = 7;

/** The stored form of an alert. Its content is read once, when it opens. */
export async function describeAlert(
  ctx: Context,
  orgId: string,
  described: ObservedSeries,
  atMs: number,
  evaluation: Evaluation,
): Promise<NewAlert> {
  const { service, type, sampleType, observed } = described;
  const series = { orgId, service, type };
  const isOfRequests = toHttpSeries(sampleType) !== undefined;
  const { release, began, onsetMs } = await beginningOf(ctx, { orgId, service }, observed, evaluation, atMs);
  const shown = fromBeginning(observed, evaluation, onsetMs);
  const { window, baseline, previous, current, increase } = shown;
  // The CPU profiles of the time show what a slow route does, but not how much of its time.
  const [newest, growth, usual] = isOfRequests
    ? [await newestBefore(ctx, series, window.toMs), [], noUsualDay]
    : await readEvidence(ctx, described, orgId, shown);
  const beganMs = evaluation.beganMs ?? evaluation.window.fromMs;
  const reference: Reference = {
    atMs,
    previous,
    requests: requestsIn(observed.requests, evaluation.window),
    usual,
    increase: evaluation.increase,
    beganMs,
    perHour: evaluation.perHour,
    restartsEveryMs: evaluation.restartsEveryMs,
    scope: evaluation.scope,
  };
  const [functions, parts] = await Promise.all([
    withPath(ctx, orgId, grownFunctions(growth, shown.means ?? shown), growth, {
      fromMs: baseline.fromMs,
      toMs: atMs,
    }),
    tagParts(ctx, orgId, described, shown),
  ]);
  const circumstances: Circumstances = {
    hasRequests: isOfRequests || observed.requests.atMs.length > 0,
    beganErrorMs: began?.errorMs ?? evaluation.restartsEveryMs ?? 0,
    highest: shown.perHour === undefined ? null : highestBefore(observed.values, beganMs),
    ...instancesOf(observed, release, shown, atMs),
    ...(shown.perHour !== undefined && { perHour: shown.perHour }),
    ...(shown.run && { run: shown.run }),
    ...rangeOf(observed, shown),
    parts,
  };
  const iso = (ms: number) => new Date(ms).toISOString();
  return {
    id: randomUUID(),
    ...series,
    sampleType,
    profileId: newest[0]?.profileId ?? (await anyProfile(ctx, series, window.toMs)),
    beganAt: onsetMs === undefined ? null : iso(onsetMs),
    openedAt: iso(atMs),
    resolvedAt: null,
    previousValue: previous,
    currentValue: current,
    increase,
    baselineFrom: iso(baseline.fromMs),
    baselineTo: iso(baseline.toMs),
    currentFrom: iso(window.fromMs),
    currentTo: iso(window.toMs),
    functions: JSON.stringify(functions),
    reference: fromReference(reference),
    circumstances: JSON.stringify(circumstances),
    ...(observed.isFault ? { severity: "warning" as const } : {}),
  };
}

/** The instances on the new version, both versions side by side, and how many instances run. */
function instancesOf(
  { instances }: Observed,
  release: Circumstances["release"],
  { scope }: Evaluation,
  atMs: number,
): Pick<Circumstances, "release" | "instancesRunning"> {
  return {
    release: release && {
      ...release,
      ...instancesOn(release.after, instances, atMs),
      ...valuesSideBySide(release, instances, atMs),
    },
    ...(scope && { instancesRunning: instancesAlive(instances, atMs).length }),
  };
}

/** A range that is narrower than this part of the rise is not worth a word. */
const rangeMin = 0.4;

/** Between which increases a rise of noisy values is likely. */
function rangeOf({ values, isFault }: Observed, shown: Evaluation): Pick<Circumstances, "range"> {
  const { increase, scope, perHour, run } = shown;
  // These are not compared as means of all values.
  if (isFault || scope !== undefined || perHour !== undefined || run !== undefined || increase <= 0)
    return {};
  const range = likelyIncreases(values, shown);
  return range === undefined || range.to - range.from < rangeMin * increase ? {} : { range };
}

/** When the rise began, as far as that is known, and the release next to it. */
async function beginningOf(
  ctx: Context,
  series: { readonly orgId: string; readonly service: string },
  observed: Observed,
  evaluation: Evaluation,
  atMs: number,
) {
  // Restarts hide where growth began.
  const isKnown = evaluation.restartsEveryMs !== undefined || observed.isFault;
  const beginning = isKnown ? undefined : beginningIn(observed, evaluation);
  const guessMs = evaluation.beganMs ?? evaluation.window.fromMs;
  const release = await releaseNear(ctx, series, beginning?.atMs ?? guessMs, atMs);
  const began = beginning && beganWith(release, beginning);
  return { release, began, onsetMs: began?.atMs ?? evaluation.beganMs };
}

/** The newest profile of the window, what its functions use more, and the usual days. */
export async function readEvidence(
  ctx: Context,
  { service, type, sampleType }: ObservedSeries,
  orgId: string,
  { window, baseline, scope }: Pick<Evaluation, "window" | "baseline" | "scope">,
) {
  const series = { orgId, service, type };
  const ranges = {
    ...series,
    ...datesOf(window),
    sampleType,
    baselineFrom: new Date(baseline.fromMs),
    baselineTo: new Date(baseline.toMs),
    instances: [...(scope?.instances ?? [])],
    instanceTags: [...instanceTags],
  };
  const functions = await ctx.columns.query(functionsOfBoth, ranges);
  const inFiles = namesInFiles(functions);
  const own = ownFunctions(functions).map((each) => identityOf(each, inFiles));
  const [newest, growth, usual] = await Promise.all([
    ctx.columns.query(newestProfile, { ...series, ...datesOf(window) }),
    ctx.columns.query(functionGrowth, {
      ...ranges,
      parked: type === "block" ? [...parkedFunctions] : [],
      waiting: isWaitingType(type) ? waitingFunctions : noFunction,
      own,
      inFiles: [...inFiles],
    }),
    usualBefore(ctx, { ...series, sampleType }, baseline.fromMs),
  ]);
  return [newest, mergedGrowth(growth), usual] as const;
}

/** A window of requests may be shorter than the time between two profiles. */
function newestBefore(
  ctx: Context,
  series: { readonly orgId: string; readonly service: string; readonly type: string },
  toMs: number,
) {
  return ctx.columns.query(newestProfile, { ...series, ...datesOf({ fromMs: toMs - reachMs, toMs }) });
}

/**
 * The newest profile of any type of a service, up to a day before. A service that sends requests alone has their batches.
 * @throws if there is none
 */
export async function anyProfile(
  ctx: Context,
  { orgId, service }: { readonly orgId: string; readonly service: string },
  toMs: number,
): Promise<string> {
  const range = datesOf({ fromMs: toMs - dayMs, toMs });
  const [newest] = await ctx.columns.query(newestOfService, { orgId, service, ...range });
  if (newest === undefined) throw new Error(`An alert of ${service} has no profile to lead to`);
  return newest.profileId;
}

/** The functions of the application; the dependencies' functions if none can be told apart from them. */
export function ownFunctions<F extends { readonly name: string; readonly file: string }>(
  functions: readonly F[],
): F[] {
  const named = functions.filter(({ name }) => !deferWrapper.test(name));
  const of = (category: ReturnType<typeof categoryOf>) =>
    named.filter(({ name, file }) => categoryOf(name, file) === category);
  const own = of("user_code");
  return own.length > 0 ? own : of("third_party");
}

/**
 * The functions with the largest growth, their sums scaled so that together they are the values of the alert: sums over
 * profiles become a rate or a mean of one instance, and the baseline is raised by the same factor. A function that grew
 * while others shrank has the whole increase, not more than it.
 */
export function grownFunctions(
  rows: readonly z.output<(typeof functionGrowth)["row"]>[],
  { previous, current }: Pick<Evaluation, "previous" | "current">,
): Omit<GrownFunction, "path">[] {
  const rise = current - previous;
  if (rise <= 0) return [];
  const grown = rows
    .map(({ name, file, line, allBefore, allAfter, ...sums }) => {
      const before = allBefore === 0 ? 0 : previous / allBefore;
      const after = allAfter === 0 ? 0 : current / allAfter;
      const selfBefore = sums.selfBefore * before;
      const selfAfter = sums.selfAfter * after;
      const totalBefore = sums.totalBefore * before;
      const totalAfter = sums.totalAfter * after;
      const share = Math.min(1, (selfAfter - selfBefore) / rise);
      const totalShare = Math.min(1, (totalAfter - totalBefore) / rise);
      const ownShare = Math.min(1, (sums.ownAfter * after - sums.ownBefore * before) / rise);
      return {
        name,
        file,
        line,
        selfBefore,
        selfAfter,
        totalBefore,
        totalAfter,
        share,
        totalShare,
        ownShare,
      };
    })
    .filter(({ share, totalShare }) => Math.max(share, totalShare) > 0)
    .sort((a, b) => b.share - a.share || b.totalShare - a.totalShare || (a.name < b.name ? -1 : 1));
  const shown = grown.slice(0, functionsMax);
  const culprit = culpritOf(grown);
  return culprit === undefined || shown.includes(culprit) ? shown : [...shown.slice(0, -1), culprit];
}

/** The usual day of the week before. Block profiles only have requests, because their totals are mostly parked goroutines. */
async function usualBefore(
  ctx: Context,
  series: { orgId: string; service: string; type: string; sampleType: string },
  beforeMs: number,
): Promise<UsualDay> {
  const { orgId, service } = series;
  const dates = datesOf({ fromMs: beforeMs - usualDays * dayMs, toMs: beforeMs });
  const isGauge = measureOf(series.type, series.sampleType).kind === "gauge";
  const [values, requests] = await Promise.all([
    series.type === "block" ? [] : ctx.columns.query(usualHours, { ...series, ...dates, isGauge }),
    ctx.columns.query(usualRequests, { orgId, service, ...dates }),
  ]);
  return { values: byHour(values), requests: byHour(requests) };
}

function byHour(rows: readonly { readonly hour: number; readonly value: number }[]): UsualDay["values"] {
  const hours: (number | null)[] = Array.from({ length: 24 }, () => null);
  for (const { hour, value } of rows) hours[hour] = value;
  return hours;
}

/** The mean of the highest hour of the weeks before this time, for what is known to be possible; null if nothing is known. */
export function highestBefore(values: Series, beforeMs: number): { value: number; at: string } | null {
  let highest: { value: number; at: string } | null = null;
  for (let toMs = beforeMs; toMs > beforeMs - learntDays * dayMs; toMs -= hourMs) {
    const { count, mean } = meanOf(values, { fromMs: toMs - hourMs, toMs });
    if (count < profilesMin || mean <= (highest?.value ?? 0)) continue;
    highest = { value: mean, at: new Date(toMs - hourMs).toISOString() };
  }
  return highest;
}

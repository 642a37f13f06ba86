import { setImmediate } from "node:timers/promises";
import { dayMs, minuteMs } from "@flamekeep/contract/durations";
import { nextChange } from "#alerts/detect/next-change.ts";
import { reachMs } from "#alerts/detect/opening/first-days.ts";
import { withAccepted } from "#alerts/detect/resolution/accepted.ts";
import type { Reference } from "#alerts/detect/resolution/reference.ts";
import { learntDays, stepMs } from "#alerts/detect/series/scales.ts";
import type { Span } from "#alerts/detect/series/series.ts";
import { toHttpSeries } from "#alerts/detect/watched/http-signals.ts";
import type { ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { type AlertRow, type NewAlert, toReference } from "#alerts/row/stored-alert.ts";
import { expectedAlerts } from "#alerts/store/handling.ts";
import { alertsSince, getProgress, storeProgress } from "#alerts/store/queries.ts";
import { recordOpened, recordResolved } from "#alerts/store/record-change.ts";
import type { Context } from "#context";
import { hasSender } from "#store/profiles/sent-profiles.ts";
import { describeAlert } from "./describe-alert.ts";
import { type HistoryCache, historyCacheOf, lateMs, outdatedServices } from "./history-cache.ts";
import { LearningBudget } from "./learning-budget.ts";
import { observeSeries, withInstanceWeeks } from "./observe.ts";
import { lateProfiles } from "./queries.ts";
import { updateOpenAlert } from "./update-open-alert.ts";

/** Profiles arrive some time after their start, so the last minute is evaluated in the next round. */
export const graceMs = minuteMs;
/** After an interruption, and for a new organization, the last day is evaluated step by step. */
const catchUpMs = dayMs;
/** The clocks of servers that share a database differ by less than this. */
const aheadMsMax = 15 * minuteMs;

/** Numbers of alerts. */
interface Changes {
  readonly opened: number;
  readonly resolved: number;
}

export interface RoundResult extends Changes {
  /** The series that were judged, and until when; none if nothing was new. */
  readonly judged?: { readonly series: readonly ObservedSeries[]; readonly toMs: number };
}

/**
 * Evaluates all series from the end of the last evaluation until now. Services for which the budget does not suffice wait for the next
 * round; the progress is stored once none waits, so that another process judges them as well.
 *
 * A service whose history is outdated when an alert would open is judged once more with what is stored then. If profiles for its past
 * still arrive, it waits for the next round.
 *
 * @param stopped ends it before the next service; the next round, of any process, judges the rest
 */
export async function evaluateOrganization(
  ctx: Context,
  orgId: string,
  learning = new LearningBudget(),
  stopped?: AbortSignal,
): Promise<RoundResult> {
  const first = await evaluateOnce(ctx, orgId, learning, stopped);
  if (!first.isOutdated || stopped?.aborted) return first;
  const second = await evaluateOnce(ctx, orgId, learning, stopped);
  return {
    ...second,
    opened: first.opened + second.opened,
    resolved: first.resolved + second.resolved,
  };
}

async function evaluateOnce(
  ctx: Context,
  orgId: string,
  learning: LearningBudget,
  stopped?: AbortSignal,
): Promise<RoundResult & Judged> {
  const lookedAt = ctx.now();
  const toMs = Math.floor((lookedAt.getTime() - graceMs) / stepMs) * stepMs;
  const earliestMs = toMs - catchUpMs;
  const progress = await getProgress(ctx.rows, orgId);
  const fromMs = evaluatedUntil(progress?.evaluatedTo, { earliestMs, toMs });
  const late = progress === undefined ? new Map() : await lateStarts(ctx, orgId, progress.lookedAt, fromMs);
  if (toMs <= fromMs && late.size === 0) return { opened: 0, resolved: 0, isOutdated: false };
  const startMs = Math.max(earliestMs, Math.min(fromMs, ...late.values()));
  const cache = historyCacheOf(ctx, orgId);
  const observed = await observeSeries(ctx, orgId, cache, { fromMs: startMs - reachMs, toMs });
  const alerts = await alertsSince(ctx.rows, orgId, new Date(startMs).toISOString());
  const expected = await expectedAlerts(ctx.rows, orgId, new Date(toMs - learntDays * dayMs));
  const done = { opened: 0, resolved: 0, isOutdated: false };
  const judged: ObservedSeries[] = [];
  let isComplete = true;
  for (const [service, ofService] of Map.groupBy(observed, (read) => read.service)) {
    if (stopped?.aborted || !learning.take(ofService)) {
      isComplete = false;
      continue;
    }
    const judgedToMs = Math.min(toMs, cache.judgedTo.get(service) ?? 0);
    const round = { earliestMs, fromMs: Math.max(fromMs, judgedToMs), toMs, late, alerts, expected, cache };
    const changes = await judgeService(ctx, orgId, ofService, round);
    done.opened += changes.opened;
    done.resolved += changes.resolved;
    if (changes.isOutdated) {
      cache.forget(service);
      done.isOutdated = true;
      isComplete = false;
      continue;
    }
    judged.push(...ofService.map((read) => compared(read, expected)));
    cache.judgedTo.set(service, toMs);
  }
  if (stopped?.aborted) return done;
  done.resolved += await resolveGone(ctx, observed, alerts, toMs);
  if (isComplete) {
    const evaluatedTo = new Date(Math.max(toMs, fromMs)).toISOString();
    await storeProgress(ctx.rows, orgId, { evaluatedTo, lookedAt: lookedAt.toISOString() });
    cache.judgedTo.clear();
  }
  return { ...done, judged: { series: judged, toMs } };
}

type Expected = Awaited<ReturnType<typeof expectedAlerts>>;

/** The series as it is compared: with the levels that somebody marked as expected. */
function compared(series: ObservedSeries, expected: Expected): ObservedSeries {
  const accepted = expected
    .filter((alert) => keyOf(alert) === keyOf(series))
    .map(({ expectedAt, beganAt, reference }) => ({
      atMs: Date.parse(expectedAt),
      beganMs: beganAt === null ? undefined : Date.parse(beganAt),
      reference: toReference(reference),
    }));
  return { ...series, observed: withAccepted(series.observed, accepted) };
}

/** Ignores progress in the future, from a clock that was ahead: no alert would open until that time. */
function evaluatedUntil(
  evaluatedTo: string | undefined,
  window: { earliestMs: number; toMs: number },
): number {
  const evaluatedMs = evaluatedTo === undefined ? 0 : Date.parse(evaluatedTo);
  return evaluatedMs > window.toMs + aheadMsMax
    ? window.earliestMs
    : Math.max(window.earliestMs, evaluatedMs);
}

interface Round extends Span {
  readonly earliestMs: number;
  /** By `typeKey`: since when late profiles make another look necessary. */
  readonly late: ReadonlyMap<string, number>;
  readonly alerts: readonly AlertRow[];
  readonly expected: Expected;
  readonly cache: HistoryCache;
}

interface Judged extends Changes {
  /** Whether an alert would have opened, but the history has changed since it was read. */
  readonly isOutdated: boolean;
}

async function judgeService(
  ctx: Context,
  orgId: string,
  all: readonly ObservedSeries[],
  round: Round,
): Promise<Judged> {
  const done = { opened: 0, resolved: 0 };
  for (const series of all) {
    // Learning takes milliseconds a series: requests are answered in between.
    await setImmediate();
    const changes = await judgeSeries(ctx, orgId, series, round);
    done.opened += changes.opened;
    done.resolved += changes.resolved;
    if (changes.isOutdated) return { ...done, isOutdated: true };
  }
  return { ...done, isOutdated: false };
}

async function judgeSeries(
  ctx: Context,
  orgId: string,
  series: ObservedSeries,
  { earliestMs, fromMs, toMs, late, alerts, expected, cache }: Round,
): Promise<Judged> {
  const existing = alerts.filter((alert) => keyOf(alert) === keyOf(series));
  const lateFrom = late.get(typeKey(series)) ?? Infinity;
  // Late profiles do not change alerts that were already reported.
  const startMs = existing.length > 0 ? fromMs : Math.max(earliestMs, Math.min(fromMs, lateFrom));
  const open = existing.find(({ resolvedAt }) => resolvedAt === null);
  return follow(ctx, orgId, series, { fromMs: startMs, toMs, expected, cache }, open);
}

async function follow(
  ctx: Context,
  orgId: string,
  read: ObservedSeries,
  span: Span & Pick<Round, "expected" | "cache">,
  open: AlertRow | undefined,
): Promise<Judged> {
  const done = { opened: 0, resolved: 0, isOutdated: false };
  let current: NewAlert | undefined = open;
  for (let fromMs = span.fromMs; ; ) {
    const reference = current === undefined ? undefined : toReference(current.reference);
    const { series, change } = await nextOf(ctx, orgId, read, { ...span, fromMs }, reference);
    if (change === undefined) {
      if (current !== undefined && !series.observed.isFault)
        await updateOpenAlert(ctx, orgId, series, current, span.toMs);
      return done;
    }
    fromMs = change.atMs;
    if (change.kind === "opened") {
      // A fault needs no history.
      if (!series.observed.isFault && (await isOutdated(ctx, orgId, series.service, span.cache)))
        return { ...done, isOutdated: true };
      const alert = await describeAlert(ctx, orgId, series, change.atMs, change.evaluation);
      if (!(await recordOpened(ctx.rows, alert, ctx.now()))) return done;
      current = alert;
      done.opened++;
    } else if (current !== undefined) {
      await recordResolved(ctx.rows, current, new Date(change.atMs).toISOString(), ctx.now());
      current = undefined;
      done.resolved++;
    }
  }
}

/**
 * The weeks of single instances are read only once some seem to have risen: they tell whether these often do. No alert opens for files
 * that people opened.
 */
async function nextOf(
  ctx: Context,
  orgId: string,
  read: ObservedSeries,
  span: Span & Pick<Round, "expected">,
  open: Reference | undefined,
) {
  const series = compared(read, span.expected);
  const change = nextChange(series.observed, span, open);
  if (change?.kind === "opened" && !(await isSent(ctx, orgId, series, change.atMs)))
    return { series, change: undefined };
  if (change?.kind !== "opened" || change.evaluation.scope === undefined) return { series, change };
  const known = compared(await withInstanceWeeks(ctx, orgId, read, span.toMs), span.expected);
  return { series: known, change: nextChange(known.observed, span, open) };
}

/** Nobody opens requests from a file. */
async function isSent(
  { columns }: Context,
  orgId: string,
  { service, type, sampleType }: ObservedSeries,
  atMs: number,
): Promise<boolean> {
  if (toHttpSeries(sampleType) !== undefined) return true;
  return hasSender(columns, { orgId, service, type, from: new Date(atMs - dayMs), to: new Date(atMs) });
}

async function isOutdated(
  ctx: Context,
  orgId: string,
  service: string,
  cache: HistoryCache,
): Promise<boolean> {
  return (await outdatedServices(ctx, orgId, cache, [service])).length > 0;
}

/**
 * Resolves the open alerts of series that were not read: without a profile for 8 to 14 hours (block profiles: a week), or a route that is no
 * longer among the busiest of its service.
 */
async function resolveGone(
  ctx: Context,
  observed: readonly ObservedSeries[],
  alerts: readonly AlertRow[],
  toMs: number,
): Promise<number> {
  const alive = new Set(observed.map(keyOf));
  const gone = alerts.filter((alert) => alert.resolvedAt === null && !alive.has(keyOf(alert)));
  for (const alert of gone) await recordResolved(ctx.rows, alert, new Date(toMs).toISOString(), ctx.now());
  return gone.length;
}

/** By service and type: the step before the earliest profile that arrived after its time was evaluated. */
async function lateStarts(
  ctx: Context,
  orgId: string,
  lookedAt: string,
  evaluatedToMs: number,
): Promise<Map<string, number>> {
  const rows = await ctx.columns.query(lateProfiles, {
    orgId,
    receivedSince: new Date(lookedAt),
    from: new Date(evaluatedToMs - catchUpMs),
    until: new Date(evaluatedToMs - lateMs),
  });
  return new Map(rows.map((row) => [typeKey(row), Math.floor(row.earliest.getTime() / stepMs) * stepMs]));
}

function typeKey({ service, type }: { readonly service: string; readonly type: string }): string {
  return JSON.stringify([service, type]);
}

function keyOf(series: {
  readonly service: string;
  readonly type: string;
  readonly sampleType: string;
}): string {
  return JSON.stringify([series.service, series.type, series.sampleType]);
}

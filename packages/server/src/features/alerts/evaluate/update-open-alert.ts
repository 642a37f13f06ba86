import { isLearnt } from "#alerts/detect/next-change.ts";
import { judgeFirstDays } from "#alerts/detect/opening/first-days.ts";
import { fromBeginning } from "#alerts/detect/opening/from-beginning.ts";
import { levelOf } from "#alerts/detect/resolution/resolution.ts";
import type { Evaluation, ObservedSeries } from "#alerts/detect/watched/observed.ts";
import { isMuted, mutesAt } from "#alerts/mutes/queries.ts";
import { type NewAlert, toReference } from "#alerts/row/stored-alert.ts";
import { severityOf } from "#alerts/store/present.ts";
import { recordGrown } from "#alerts/store/record-change.ts";
import type { Context } from "#context";
import { describeAlert } from "./describe-alert.ts";

/** A rise that is hardly larger than in the last message is no news, even across the limit of a severity. */
const grownMin = 0.1;

/** Stores larger values of an open alert, in whose last message the rise was smaller than it turned out to be. */
export async function updateOpenAlert(
  ctx: Context,
  orgId: string,
  series: ObservedSeries,
  alert: NewAlert,
  toMs: number,
): Promise<void> {
  const hasNoise = isLearnt(series.observed.noise.at(series.observed, toMs));
  const evaluation = hasNoise ? grownLevel(series, alert, toMs) : wholeWindow(series, alert, toMs);
  if (evaluation === undefined || evaluation.increase <= alert.increase) return;
  if (hasNoise && !(await isNews(ctx, alert, evaluation))) return;
  const {
    currentValue,
    previousValue,
    increase,
    currentFrom,
    currentTo,
    functions,
    profileId,
    circumstances,
  } = await describeAlert(ctx, orgId, series, evaluation.window.toMs, evaluation);
  const changed = { currentFrom, currentTo, functions, profileId, circumstances };
  await recordGrown(ctx.rows, alert, { currentValue, previousValue, increase, ...changed }, ctx.now());
}

/**
 * With learnt noise the first message has the size. Later only a higher severity is news, and of a muted alert any growth,
 * because it may be in profiles with tags that are not muted.
 */
async function isNews(ctx: Context, alert: NewAlert, { increase }: Evaluation): Promise<boolean> {
  if (severityOf(increase) !== severityOf(alert.increase)) return true;
  return isMuted(alert, await mutesAt(ctx.rows, alert.orgId, ctx.now()));
}

function grownLevel({ observed }: ObservedSeries, alert: NewAlert, toMs: number): Evaluation | undefined {
  const level = levelOf(observed, toMs, { open: toReference(alert.reference), baseline: baselineOf(alert) });
  return level === undefined || level.increase < alert.increase + grownMin ? undefined : level;
}

/**
 * Without learnt noise, an alert opens while its window still includes profiles from before the change, which makes the change look smaller
 * than it is. Until a whole window has passed, the alert takes over larger values; its baseline stays.
 */
function wholeWindow({ observed }: ObservedSeries, alert: NewAlert, toMs: number): Evaluation | undefined {
  const baseline = baselineOf(alert);
  // The window was as long as its baseline.
  const atMs = Math.min(toMs, Date.parse(alert.openedAt) + baseline.toMs - baseline.fromMs);
  if (atMs <= Date.parse(alert.currentTo)) return undefined;
  const whole = judgeFirstDays(observed, atMs, baseline);
  const beganMs = alert.beganAt === null ? undefined : Date.parse(alert.beganAt);
  return whole && fromBeginning(observed, whole, beganMs);
}

function baselineOf({ baselineFrom, baselineTo }: NewAlert) {
  return { fromMs: Date.parse(baselineFrom), toMs: Date.parse(baselineTo) };
}

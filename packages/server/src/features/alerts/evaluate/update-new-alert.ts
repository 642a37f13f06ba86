import { evaluate } from "#alerts/detect/detector.ts";
import { isLearnt } from "#alerts/detect/next-change.ts";
import type { ObservedSeries } from "#alerts/detect/observed.ts";
import type { NewAlert } from "#alerts/stored-alert.ts";
import type { Context } from "#context";
import { describeAlert } from "./describe-alert.ts";
import { recordGrown } from "./record-change.ts";

/**
 * Without learnt noise, an alert opens while its window still includes profiles from before the change, which makes the change look smaller
 * than it is. Until a whole window has passed, the alert takes over larger values; its baseline stays.
 */
export async function updateNewAlert(
  ctx: Context,
  orgId: string,
  series: ObservedSeries,
  alert: NewAlert,
  toMs: number,
): Promise<void> {
  if (isLearnt(series.observed.noise.at(series.observed, toMs))) return;
  const currentTo = Date.parse(alert.currentTo);
  const grownMs = Date.parse(alert.openedAt) + currentTo - Date.parse(alert.currentFrom);
  const atMs = Math.min(toMs, grownMs);
  if (atMs <= currentTo) return;
  const baseline = { fromMs: Date.parse(alert.baselineFrom), toMs: Date.parse(alert.baselineTo) };
  const evaluation = evaluate(series.observed, atMs, baseline);
  if (evaluation === undefined || evaluation.increase <= alert.increase) return;
  const { currentValue, previousValue, increase, currentFrom, functions, profileId, ...fresh } =
    await describeAlert(ctx, orgId, series, atMs, evaluation);
  const values = { currentValue, previousValue, increase, currentFrom, functions, profileId };
  await recordGrown(ctx.rows, alert, { ...values, currentTo: fresh.currentTo }, ctx.now());
}

import type { Effect } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FeedbackRow } from "#analysis/stored-analysis.ts";
import type { Context } from "#context";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { measureEffect } from "./measure-effect.ts";

const perRoundMax = 20;
const repeatWhileWaitingMs = 10 * minuteMs;
const repeatMs = hourMs;
/** Later, other changes may explain a difference. */
const measuredForMs = 14 * dayMs;

/** Measures the effect of advice that was marked as done and is due. Returns the number of measurements. */
export async function measureDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let measured = 0;
  for (const feedback of await dueFeedback(ctx.rows, ctx.now())) {
    if (stopped?.aborted) break;
    // Moved before it is measured, so that a failing one does not block the others and another process skips it.
    const measureAt = new Date(ctx.now().getTime() + repeatWhileWaitingMs).toISOString();
    if (!(await update(ctx.rows, feedback, { measureAt }))) continue;
    try {
      const effect = await measureEffect(ctx, feedback);
      const next = nextMeasurement(ctx.now(), feedback, effect);
      await update(ctx.rows, { ...feedback, measureAt }, { effect: JSON.stringify(effect), measureAt: next });
      measured++;
    } catch (error) {
      const { orgId, service, rule } = feedback;
      ctx.log.warn({ err: error, orgId, service, rule }, "effect of a recommendation not measured");
    }
  }
  return measured;
}

function nextMeasurement(now: Date, { givenAt }: FeedbackRow, { status }: Effect): string | null {
  const nextMs = now.getTime() + (status === "waiting" ? repeatWhileWaitingMs : repeatMs);
  return nextMs > Date.parse(givenAt) + measuredForMs ? null : new Date(nextMs).toISOString();
}

function dueFeedback(rows: RowStore, now: Date): Promise<FeedbackRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("recommendationFeedback")
    .selectAll()
    .where("state", "=", "done")
    .where("measureAt", "<=", now.toISOString())
    .orderBy("measureAt")
    .limit(perRoundMax)
    .execute();
}

/** False if the feedback was changed meanwhile. */
async function update(
  rows: RowStore,
  { orgId, service, rule, function: name, measureAt }: FeedbackRow,
  change: Partial<Pick<FeedbackRow, "effect" | "measureAt">>,
): Promise<boolean> {
  const updated = await rows
    .updateTable("recommendationFeedback")
    .set(change)
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("rule", "=", rule)
    .where("function", "=", name)
    .where("state", "=", "done")
    .where("measureAt", "=", measureAt)
    .executeTakeFirstOrThrow();
  return updated.numUpdatedRows > 0n;
}

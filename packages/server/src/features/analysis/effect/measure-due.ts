import type { Effect } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FeedbackRow } from "#analysis/stored-analysis.ts";
import type { Context } from "#context";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import { measureEffect } from "./measure-effect.ts";

const perRoundMax = 20;
const whileWaitingMs = 10 * minuteMs;
const laterMs = hourMs;
/** Afterwards other changes explain the difference. */
const measuredMs = 14 * dayMs;

/** Measures the effect of advice that was marked as done, where that is due. Returns the number of measurements. */
export async function measureDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let measured = 0;
  for (const feedback of await dueFeedback(ctx.rows, ctx.now())) {
    if (stopped?.aborted) break;
    // Before it is measured, so that one that fails does not hold up the others, and another process takes other ones.
    const measureAt = new Date(ctx.now().getTime() + whileWaitingMs).toISOString();
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
  const nextMs = now.getTime() + (status === "waiting" ? whileWaitingMs : laterMs);
  return nextMs > Date.parse(givenAt) + measuredMs ? null : new Date(nextMs).toISOString();
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

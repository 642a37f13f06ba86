import type { Effect } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { gatherServiceFacts } from "#analysis/facts/gather.ts";
import { type RangeSeries, type RangeStacks, readRange } from "#analysis/ranges/read-range.ts";
import { type Both, type ComparedRange, scaled, scalesOf } from "#analysis/ranges/scales.ts";
import type { AnalysedRange, FeedbackRow } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { taskFile } from "#stacks/pool.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import { acrossOrganizations, type RowStore } from "#store/row/row-store.ts";
import type * as tasks from "./effect-tasks.ts";

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

const effectTasks = taskFile<typeof tasks>(new URL("./effect-tasks.ts", import.meta.url));

/** Each side has at most the profiles of a day. */
const sideMs = dayMs;
/** Fewer say more about chance than about the change. */
const profilesMin = 3;
/** As for alerts: less is noise. */
const changeMin = 0.2;

/**
 * Whether advice that was marked as done helped: the value of its function before the analysis against the latest day since
 * it was marked, per second of one instance, and per request where the service sends HTTP metrics in both.
 */
async function measureEffect(ctx: Context, feedback: FeedbackRow): Promise<Effect> {
  const { service, type, function: ref } = feedback;
  const series = { orgId: feedback.orgId, service, type, displayType: type };
  const [before, after] = await Promise.all(
    spansOf(feedback, ctx.now()).map((span) => readSide(ctx, series, span)),
  );
  const sums = await sumFunction(ctx, series, ref, [before!, after!]);
  const [compared, later] = [before!.compared, after!.compared];
  const { column, total, request } = scalesOf(compared, later);
  const values = scaled(sums, column);
  const change = changeOf(request === undefined ? values : scaled(sums, request));
  const isWaiting = later.profiles < profilesMin || compared.profiles === 0;
  return {
    status: isWaiting ? "waiting" : statusOf(change),
    function: ref,
    share_before: shareOf(values.before, compared.total * total.before),
    share_after: isWaiting ? null : shareOf(values.after, later.total * total.after),
    change: isWaiting ? null : change,
    is_per_request: request !== undefined,
    profiles: later.profiles,
    measured_at: ctx.now().toISOString(),
  };
}

/** The day up to the analysed data, and the latest day since the advice was marked. Whole minutes that do not overlap. */
function spansOf({ subjectAt, givenAt }: FeedbackRow, now: Date): AnalysedRange[] {
  const minute = (ms: number) => Math.ceil(ms / minuteMs) * minuteMs;
  const toMs = minute(Date.parse(subjectAt) + 1);
  const fromMs = minute(Math.max(Date.parse(givenAt), now.getTime() - sideMs));
  return [
    { fromMs: toMs - sideMs, toMs, tags: {} },
    { fromMs, toMs: Math.max(fromMs + minuteMs, minute(now.getTime())), tags: {} },
  ];
}

interface Side {
  readonly span: AnalysedRange;
  readonly stacks: RangeStacks;
  readonly compared: ComparedRange;
}

async function readSide(ctx: Context, series: RangeSeries, span: AnalysedRange): Promise<Side> {
  const [stacks, facts] = await Promise.all([
    readRange(ctx, series, span),
    gatherServiceFacts(ctx, { ...series, ...span }),
  ]);
  return { span, stacks, compared: { ...stacks, traffic: facts.traffic } };
}

function sumFunction(
  ctx: Context,
  { orgId, type }: RangeSeries,
  ref: string,
  [before, after]: readonly [Side, Side],
): Promise<Both> {
  const columns = [...before.stacks.columns, ...after.stacks.columns];
  const counts = { columnsBefore: before.stacks.columns.length, columnsAfter: after.stacks.columns.length };
  const range = { orgId, fromMs: before.span.fromMs, toMs: after.span.toMs, columns };
  return withDefinitions(ctx.columns, range, (stored) =>
    ctx.backgroundDecoders.run(effectTasks, "functionSums", { stored, ...counts, type, ref }),
  );
}

function changeOf({ before, after }: Both): number | null {
  return before > 0 ? after / before - 1 : null;
}

function statusOf(change: number | null): Effect["status"] {
  if (change === null || Math.abs(change) < changeMin) return "unchanged";
  return change < 0 ? "improved" : "worse";
}

function shareOf(value: number, whole: number): number {
  return whole > 0 ? Math.min(1, Math.max(0, value / whole)) : 0;
}

import type { Effect } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { gatherServiceFacts, readVersions } from "#analysis/facts/gather.ts";
import { type RangeSeries, type RangeStacks, readRange } from "#analysis/ranges/read-range.ts";
import { type Both, type ComparedRange, scaled, scalesOf } from "#analysis/ranges/scales.ts";
import { type AnalysedRange, effectOf, type FeedbackRow } from "#analysis/store/stored-analysis.ts";
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
/** A version is new if no profile of the days before it has it. */
const deployedWithinMs = 14 * dayMs;

/**
 * Measures the effect of advice that is due: of what was marked as done since then, and of what was accepted since the latest deploy.
 * Returns the number of measurements.
 */
export async function measureDue(ctx: Context, stopped?: AbortSignal): Promise<number> {
  let measured = 0;
  const versionsOf = versionReader(ctx);
  for (const feedback of await dueFeedback(ctx.rows, ctx.now())) {
    if (stopped?.aborted) break;
    // Moved before it is measured, so that a failing one does not block the others and another process skips it.
    const measureAt = new Date(ctx.now().getTime() + repeatWhileWaitingMs).toISOString();
    if (!(await update(ctx.rows, feedback, { measureAt }))) continue;
    try {
      const start = await startOf(feedback, versionsOf);
      const waitsForDeploy = start !== undefined && isOver(start, ctx.now()) && !isLast(feedback);
      const effect = start && !waitsForDeploy ? await measureEffect(ctx, feedback, start) : undefined;
      const nextAt = nextMeasurement(ctx.now(), effect);
      const next = start && isOver(start, nextAt) && isLast(feedback) ? null : nextAt.toISOString();
      const change = effect && { effect: JSON.stringify(effect) };
      await update(ctx.rows, { ...feedback, measureAt }, { ...change, measureAt: next });
      if (effect !== undefined) measured++;
    } catch (error) {
      const { orgId, service, rule } = feedback;
      ctx.log.warn({ err: error, orgId, service, rule }, "effect of a recommendation not measured");
    }
  }
  return measured;
}

/** From when on an effect is measured. */
interface Start {
  readonly sinceMs: number;
  /** null: somebody said that it is done. */
  readonly version: string | null;
}

type Versions = Awaited<ReturnType<typeof readVersions>>;
type VersionReader = (service: Pick<FeedbackRow, "orgId" | "service">) => Promise<Versions>;

/** Reads the versions of each service once. */
function versionReader({ columns, now }: Context): VersionReader {
  const read = new Map<string, Promise<Versions>>();
  return ({ orgId, service }) => {
    const key = JSON.stringify([orgId, service]);
    const versions =
      read.get(key) ?? readVersions(columns, { orgId, service }, now().getTime(), deployedWithinMs);
    read.set(key, versions);
    return versions;
  };
}

/** Undefined: it was accepted, and no deploy came since. */
async function startOf(feedback: FeedbackRow, versionsOf: VersionReader): Promise<Start | undefined> {
  const earlier = effectOf(feedback);
  const measuring =
    earlier?.since == null ? undefined : { sinceMs: Date.parse(earlier.since), version: earlier.version };
  const givenMs = Date.parse(feedback.givenAt);
  if (feedback.state === "done") return measuring ?? { sinceMs: givenMs, version: null };
  // A later deploy did not bring the improvement.
  if (earlier?.status === "improved") return measuring;
  // The first version of all replaced none.
  const [, ...deploys] = await versionsOf(feedback);
  const latest = deploys.findLast(({ atMs }) => atMs > givenMs);
  return latest === undefined ? measuring : { sinceMs: latest.atMs, version: latest.version };
}

/** Accepted advice that did not improve waits for the next deploy as long as it takes. */
function isLast(feedback: FeedbackRow): boolean {
  return feedback.state === "done" || effectOf(feedback)?.status === "improved";
}

function isOver({ sinceMs }: Start, at: Date): boolean {
  return at.getTime() > sinceMs + measuredForMs;
}

function nextMeasurement(now: Date, effect: Effect | undefined): Date {
  const isWaiting = effect === undefined || effect.status === "waiting";
  return new Date(now.getTime() + (isWaiting ? repeatWhileWaitingMs : repeatMs));
}

function dueFeedback(rows: RowStore, now: Date): Promise<FeedbackRow[]> {
  return acrossOrganizations(rows)
    .selectFrom("recommendationFeedback")
    .selectAll()
    .where("state", "in", ["accepted", "done"])
    .where("measureAt", "<=", now.toISOString())
    .orderBy("measureAt")
    .limit(perRoundMax)
    .execute();
}

/** False if the feedback was changed meanwhile. */
async function update(
  rows: RowStore,
  { orgId, service, rule, function: name, state, measureAt }: FeedbackRow,
  change: Partial<Pick<FeedbackRow, "effect" | "measureAt">>,
): Promise<boolean> {
  const updated = await rows
    .updateTable("recommendationFeedback")
    .set(change)
    .where("orgId", "=", orgId)
    .where("service", "=", service)
    .where("rule", "=", rule)
    .where("function", "=", name)
    .where("state", "=", state)
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
 * Whether advice helped: the value of its function before the analysis against the latest day since the start, per second of one
 * instance, and per request where the service sends HTTP metrics in both.
 */
async function measureEffect(ctx: Context, feedback: FeedbackRow, start: Start): Promise<Effect> {
  const { service, type, function: ref } = feedback;
  const series = { orgId: feedback.orgId, service, type, displayType: type };
  const [before, after] = await Promise.all(
    spansOf(feedback, start, ctx.now()).map((span) => readSide(ctx, series, span)),
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
    version: start.version,
    since: start.version === null ? null : new Date(start.sinceMs).toISOString(),
  };
}

/** The day up to the analysed data, and the latest day since the start. Whole minutes that do not overlap. */
function spansOf({ subjectAt }: FeedbackRow, { sinceMs }: Start, now: Date): AnalysedRange[] {
  const minute = (ms: number) => Math.ceil(ms / minuteMs) * minuteMs;
  const toMs = minute(Date.parse(subjectAt) + 1);
  const fromMs = minute(Math.max(sinceMs, now.getTime() - sideMs));
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

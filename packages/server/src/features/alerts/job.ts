import { randomUUID } from "node:crypto";
import { minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog, pause, whileListening } from "#store/job-log.ts";
import { type Lease, releaseLease, takeLease } from "#store/row/job-lease.ts";
import { timedJob } from "#telemetry/timed-job.ts";
import { recordCoverage } from "./coverage/record-coverage.ts";
import { deliverDue } from "./deliver.ts";
import { runDigests } from "./digest/send-digests.ts";
import { evaluateOrganization, type RoundResult } from "./evaluate/evaluate-organization.ts";
import { LearningBudget } from "./evaluate/learning-budget.ts";
import { evaluateFunctions, ReadingBudget } from "./functions/evaluate-functions.ts";
import { type Changes, evaluateRules } from "./rules/evaluate-rules.ts";
import { evaluateSilence } from "./silence/evaluate-silence.ts";
import type { SilenceWatch } from "./silence/silence-watch.ts";
import { evaluatedOrganizations } from "./store/queries.ts";
import { recordUnmuted } from "./store/record-change.ts";

const everyMs = minuteMs;
const leaseMs = 5 * minuteMs;

/** Without a watch, silence opens no alerts. */
interface JobContext extends Context {
  readonly silence?: SilenceWatch;
}

/** Evaluates every organization and sends due deliveries while the server listens, in one process at a time. */
export function registerAlertJob(app: FastifyInstance, ctx: JobContext): void {
  const lease: Lease = { name: "alerts", holder: randomUUID(), lastsMs: leaseMs };
  whileListening(app, (stopped) => runRounds(ctx, lease, stopped));
}

async function runRounds(ctx: JobContext, lease: Lease, stopped: AbortSignal): Promise<void> {
  const jobLog = newJobLog(ctx);
  while (!stopped.aborted) {
    try {
      await timedJob(ctx.metrics, "alerts", () => runAlerts(ctx, lease, stopped, jobLog));
    } catch (error) {
      // The next round continues where this one stopped.
      if (!stopped.aborted) jobLog.failed(error);
    }
    await pause(everyMs, stopped);
  }
  await releaseLease(ctx.rows, lease).catch((error: unknown) =>
    ctx.log.warn({ err: error }, "lease of the alert job not released; it expires by itself"),
  );
}

/** One round. False, without doing anything, while another process holds the lease. */
export async function runAlerts(
  ctx: JobContext,
  lease: Lease,
  stopped?: AbortSignal,
  jobLog = newJobLog(ctx),
): Promise<boolean> {
  let isComplete = true;
  await ctx.silence?.beginRound();
  const budgets = { learning: new LearningBudget(), reading: new ReadingBudget() };
  for (const orgId of await evaluatedOrganizations(ctx.rows)) {
    if (stopped?.aborted) return true;
    // Renewed before each organization: a round may take longer than the lease.
    if (!(await takeLease(ctx.rows, lease, ctx.now()))) return false;
    isComplete = (await evaluateOne(ctx, orgId, budgets, jobLog, stopped)) && isComplete;
  }
  if (!(await takeLease(ctx.rows, lease, ctx.now()))) return false;
  await deliverDue(ctx, stopped);
  if (!(await takeLease(ctx.rows, lease, ctx.now()))) return false;
  isComplete = (await runDigests(ctx, jobLog, stopped)) && isComplete;
  if (isComplete) jobLog.succeeded();
  return true;
}

function newJobLog({ log }: Context): JobLog {
  return new JobLog(log, "the job that evaluates alerts");
}

/** Returns false if it failed. */
async function evaluateOne(
  ctx: JobContext,
  orgId: string,
  budgets: { readonly learning: LearningBudget; readonly reading: ReadingBudget },
  jobLog: JobLog,
  stopped: AbortSignal | undefined,
): Promise<boolean> {
  const changed = { opened: 0, resolved: 0, unmuted: 0 };
  // An error in one organization must not keep the others from being evaluated, nor one of the detector the rules.
  const attempt = async (part: () => Promise<void>) => {
    try {
      await part();
      return true;
    } catch (error) {
      jobLog.failed(error, { orgId });
      return false;
    }
  };
  let judged: RoundResult["judged"];
  const isDetected = await attempt(async () => {
    const result = await evaluateOrganization(ctx, orgId, budgets.learning, stopped);
    add(changed, result);
    judged = result.judged;
  });
  if (stopped?.aborted) return false;
  let areFunctionsJudged = true;
  const failed = (error: unknown, series: object) => {
    areFunctionsJudged = false;
    jobLog.failed(error, { orgId, ...series });
  };
  const areFunctionsDone = await attempt(async () => {
    if (judged === undefined) return;
    const options = { budget: budgets.reading, stopped, failed };
    add(changed, await evaluateFunctions(ctx, orgId, judged, options));
  });
  const areRulesDone = await attempt(async () => add(changed, await evaluateRules(ctx, orgId)));
  const { silence } = ctx;
  const isSilenceDone =
    silence === undefined ||
    (await attempt(async () => add(changed, await evaluateSilence(ctx, orgId, silence))));
  // Only after these: an alert that they resolve sends nothing. Messages do not wait for functions, which are judged once an hour.
  const areUnmuted =
    isDetected &&
    areRulesDone &&
    isSilenceDone &&
    (await attempt(async () => {
      changed.unmuted = await recordUnmuted(ctx.rows, orgId, ctx.now());
    }));
  if (changed.opened + changed.resolved + changed.unmuted > 0) {
    ctx.log.info({ orgId, ...changed }, "alerts changed");
  }
  // Last: messages do not wait for it.
  const isCovered = await attempt(async () => {
    if (judged !== undefined) await recordCoverage(ctx, orgId, judged.series, judged.toMs);
  });
  return areUnmuted && areFunctionsDone && areFunctionsJudged && isCovered;
}

function add(to: Changes, { opened, resolved }: Readonly<Changes>): void {
  to.opened += opened;
  to.resolved += resolved;
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Analysers, SpentError } from "#analysis/analysers/analyser.ts";
import { recordFindings } from "#analysis/findings/record.ts";
import {
  type AnalysisResult,
  type AnalysisRow,
  optionsOf,
  subjectOf,
} from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { Failure } from "#failure";
import { lockedTransaction } from "#store/row/organization-lock.ts";
import type { RowStore } from "#store/row/row-store.ts";
import { leaseMs, renewLease } from "./claim.ts";
import { countUsage, endedAnalyses, modelTokens } from "./usage.ts";

/** The browser stops polling after five minutes. */
const analysisMsMax = 240_000;
const heartbeatMs = leaseMs / 4;
/** An analyser ends within milliseconds of its abort. If it does not, neither its slot nor a stop of the server waits any longer than this. */
const endMsMax = 5_000;

export interface Work {
  readonly analysers: Analysers;
  /** One per process. */
  readonly holder: string;
  /** Aborted when the server stops. */
  readonly stopped: AbortSignal;
  /** Replaced in tests. */
  readonly endMsMax?: number;
}

/** Works on a claimed analysis until it is completed or failed, the server stops, or another process has its lease. */
export async function processAnalysis(ctx: Context, row: AnalysisRow, work: Work): Promise<void> {
  const lost = new AbortController();
  const timeout = AbortSignal.timeout(analysisMsMax);
  const signal = AbortSignal.any([work.stopped, lost.signal, timeout]);
  const heartbeat = setInterval(() => void keepLease(ctx, row, work, lost), heartbeatMs).unref();
  const startedMs = performance.now();
  const spent = (tokensUsed: number) => ({
    tokensUsed,
    processingTimeMs: Math.round(performance.now() - startedMs),
    at: ctx.now(),
  });
  const analysing = analyse(row, work.analysers, signal);
  try {
    const { result, tokensUsed } = await unlessAborted(analysing, signal);
    const isStored = await completeAnalysis(ctx.rows, row, result, spent(tokensUsed));
    count(ctx, row, isStored ? "completed" : "dropped", tokensUsed);
    log(ctx, row, isStored ? "analysis completed" : "analysis dropped: it was removed meanwhile");
  } catch (error) {
    if (work.stopped.aborted) {
      await releaseAnalysis(ctx.rows, row);
      return;
    }
    const tokensUsed = error instanceof SpentError ? error.tokensUsed : 0;
    const cause = error instanceof SpentError ? error.cause : error;
    await failAnalysis(ctx.rows, row, sentenceOf(cause, timeout), spent(tokensUsed));
    count(ctx, row, "failed", tokensUsed);
    const level = cause instanceof Failure && cause.cause === undefined ? "info" : "warn";
    ctx.log[level]({ err: cause, ...fieldsOf(row) }, "analysis failed");
  } finally {
    clearInterval(heartbeat);
    // An aborted analysis may still read, and the stores are closed next.
    const isEnded = await endsWithin(analysing, work.endMsMax ?? endMsMax);
    if (!isEnded)
      ctx.log.warn(fieldsOf(row), "an aborted analysis still runs; the queue does not wait for it");
  }
}

/** Whether the promise settles in time. */
async function endsWithin(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const waiting = new AbortController();
  const settled = promise.then(
    () => true,
    () => true,
  );
  const late = sleep(ms, false, { signal: waiting.signal }).catch(() => false);
  const isEnded = await Promise.race([settled, late]);
  waiting.abort();
  return isEnded;
}

async function analyse(row: AnalysisRow, analysers: Analysers, signal: AbortSignal) {
  signal.throwIfAborted();
  const analyser = analysers[row.provider];
  if (analyser === undefined) {
    throw new Failure(
      "unprocessable",
      `This server no longer has the ${row.provider} analyzer. Start the analysis again.`,
    );
  }
  const task = { row, subject: subjectOf(row), options: optionsOf(row) };
  return analyser(task, signal);
}

/** Settles with the promise, or rejects as soon as the signal is aborted. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  if (signal.aborted) abort();
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

async function keepLease(
  ctx: Context,
  row: AnalysisRow,
  { holder }: Work,
  lost: AbortController,
): Promise<void> {
  try {
    if (!(await renewLease(ctx.rows, row, { holder, now: ctx.now() }))) lost.abort();
  } catch (error) {
    // The lease outlasts several heartbeats.
    ctx.log.warn({ err: error, ...fieldsOf(row) }, "lease of an analysis not renewed");
  }
}

function sentenceOf(error: unknown, timeout: AbortSignal): string {
  if (error instanceof Failure) return error.message;
  if (timeout.aborted) return "The analysis timed out. Try again.";
  return "The analysis failed because of a server error. Try again, and contact the operator if it happens again.";
}

function count(
  { metrics }: Context,
  { provider }: AnalysisRow,
  outcome: "completed" | "dropped" | "failed",
  tokensUsed: number,
): void {
  metrics.count(endedAnalyses.name, endedAnalyses.help, { provider, outcome });
  if (tokensUsed > 0) metrics.count(modelTokens.name, modelTokens.help, {}, tokensUsed);
}

function log(ctx: Context, row: AnalysisRow, message: string): void {
  ctx.log.info(fieldsOf(row), message);
}

function fieldsOf({ id, orgId, service, type, provider, attempts }: AnalysisRow) {
  return { analysisId: id, orgId, service, type, provider, attempts };
}

type ClaimedAnalysis = Pick<AnalysisRow, "orgId" | "id" | "holder">;

interface Spent {
  readonly processingTimeMs: number;
  readonly tokensUsed: number;
}

/** Stores the result and its findings; false if the analysis was removed meanwhile or another process has it. */
export function completeAnalysis(
  rows: RowStore,
  claimed: AnalysisRow,
  result: AnalysisResult,
  spent: Spent & { readonly at: Date },
): Promise<boolean> {
  const outcome = { status: "completed" as const, result: JSON.stringify(result), error: null };
  // Locked: two analyses of a service that end together must not store their findings in different orders.
  return lockedTransaction(rows, claimed.orgId, async (transaction) => {
    const isStored = await finish(transaction, claimed, outcome, spent);
    if (isStored) await recordFindings(transaction, claimed, result, spent.at);
    return isStored;
  });
}

/** @param error a sentence for people */
export function failAnalysis(
  rows: RowStore,
  claimed: ClaimedAnalysis,
  error: string,
  spent: Spent & { readonly at: Date },
): Promise<boolean> {
  return finish(rows, claimed, { status: "failed", result: null, error }, spent);
}

async function finish(
  rows: RowStore,
  { orgId, id, holder }: ClaimedAnalysis,
  outcome: Pick<AnalysisRow, "status" | "result" | "error">,
  { processingTimeMs, tokensUsed, at }: Spent & { readonly at: Date },
): Promise<boolean> {
  // Tokens were spent, whether the analysis still exists or not.
  if (tokensUsed > 0) await countUsage(rows, orgId, { analyses: 0, modelCalls: 0, tokens: tokensUsed }, at);
  const finished = await rows
    .updateTable("analyses")
    .set({
      ...outcome,
      processingTimeMs,
      tokensUsed,
      completedAt: at.toISOString(),
      holder: null,
      leaseExpiresAt: null,
    })
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .where("status", "=", "processing")
    .executeTakeFirstOrThrow();
  return finished.numUpdatedRows > 0n;
}

/** Returns the analysis to the queue as if it had not been started: the server is stopping. */
export async function releaseAnalysis(rows: RowStore, { orgId, id, holder }: ClaimedAnalysis): Promise<void> {
  await rows
    .updateTable("analyses")
    .set((is) => ({
      status: "pending" as const,
      attempts: is("attempts", "-", 1),
      holder: null,
      leaseExpiresAt: null,
    }))
    .where("orgId", "=", orgId)
    .where("id", "=", id)
    .where("holder", "=", holder)
    .where("status", "=", "processing")
    .execute();
}

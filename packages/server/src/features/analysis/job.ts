import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { hourMs, minuteMs } from "@flamekeep/contract/durations";
import type { FastifyInstance } from "fastify";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import type { Analysers } from "./analysers/analyser.ts";
import { measureDue } from "./effect/measure-due.ts";
import { requeueLost } from "./queue/claim.ts";
import { keepAnalysing, Wakening } from "./queue/runner.ts";
import { removeOldAnalyses } from "./remove-old.ts";

const cleanEveryMs = hourMs;
const firstCleanAfterMs = 5 * minuteMs;
const measureEveryMs = minuteMs;

/** While the server listens: works on the queue, measures what recommendations changed, and removes old analyses. Returns the function that wakes the queue. */
export function registerAnalysisJob(app: FastifyInstance, ctx: Context, analysers: Analysers): () => void {
  const stopping = new AbortController();
  const wakening = new Wakening();
  const work = { analysers, holder: randomUUID(), stopped: stopping.signal };
  let running: Promise<unknown> = Promise.resolve();
  app.addHook("onListen", () => {
    running = Promise.all([
      resumeInterrupted(ctx, work.holder).then(() => keepAnalysing(ctx, work, wakening)),
      keepClean(ctx, stopping.signal),
      keepMeasuring(ctx, stopping.signal),
    ]);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
  return () => wakening.wake();
}

/** With both built-in stores this process is the only one: whatever is in progress was interrupted by its last end. */
async function resumeInterrupted(ctx: Context, holder: string): Promise<void> {
  const isOnlyProcess = ctx.config.rows.kind === "sqlite" && ctx.config.columns.kind === "embedded";
  try {
    await requeueLost(ctx.rows, { holder, now: ctx.now(), isOnlyProcess });
  } catch (error) {
    ctx.log.warn({ err: error }, "interrupted analyses not resumed yet; they are once their lease ends");
  }
}

async function keepClean(ctx: Context, stopped: AbortSignal): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the removal of old analyses");
  await rest(firstCleanAfterMs, stopped);
  await repeat(cleanEveryMs, stopped, jobLog, () => removeOldAnalyses(ctx));
}

async function keepMeasuring(ctx: Context, stopped: AbortSignal): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the measurement of what recommendations changed");
  await rest(measureEveryMs, stopped);
  await repeat(measureEveryMs, stopped, jobLog, () => measureDue(ctx, stopped));
}

async function repeat(
  everyMs: number,
  stopped: AbortSignal,
  jobLog: JobLog,
  run: () => Promise<unknown>,
): Promise<void> {
  while (!stopped.aborted) {
    try {
      await run();
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await rest(everyMs, stopped);
  }
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { type AnalyserKind, claimNext, requeueLost } from "./claim.ts";
import { processAnalysis, type Work } from "./process.ts";

/**
 * Analyses in progress in this process, by kind. Those of the built-in analyser share one thread: one is computed while the
 * other reads. Those of a language model mostly wait for its answer.
 */
const slots: Readonly<Record<AnalyserKind, number>> = { builtin: 2, model: 4 };
/** How often the queue is read for analyses that other processes queued or left behind. Those of this process start at once. */
const pollMs = 5_000;
/**
 * A slot of the built-in analyser rests after each analysis, so that uploads do not wait for a long queue. The next analysis waits for
 * the end of the rest: usually a second, at most four.
 */
const restPerWork = 9;
const restMsMax = 4_000;

/** Wakes the slots when an analysis was queued. */
export class WakeSignal {
  #next = Promise.withResolvers<void>();

  wake(): void {
    this.#next.resolve();
    this.#next = Promise.withResolvers<void>();
  }

  /** Resolves at the next call of `wake`, after `ms`, or when `stopped` is aborted. */
  async wait(ms: number, stopped: AbortSignal): Promise<void> {
    const waiting = new AbortController();
    const time = sleep(ms, undefined, { signal: AbortSignal.any([stopped, waiting.signal]), ref: false });
    await Promise.race([this.#next.promise, time.catch(() => undefined)]);
    waiting.abort();
  }
}

/** Works on queued analyses until `work.stopped` is aborted. */
export async function keepAnalysing(ctx: Context, work: Work, wakeSignal: WakeSignal): Promise<void> {
  const kinds: AnalyserKind[] = ["builtin", "model"];
  await Promise.all(
    kinds.flatMap((kind) =>
      Array.from({ length: slots[kind] }, () => keepSlotBusy(ctx, kind, work, wakeSignal)),
    ),
  );
}

async function keepSlotBusy(
  ctx: Context,
  kind: AnalyserKind,
  work: Work,
  wakeSignal: WakeSignal,
): Promise<void> {
  const jobLog = new JobLog(ctx.log, "the queue of analyses");
  while (!work.stopped.aborted) {
    try {
      await requeueExpired(ctx, work);
      for (;;) {
        const startedMs = performance.now();
        if (!(await runNext(ctx, kind, work))) break;
        if (kind === "builtin") await rest(restMsAfter(performance.now() - startedMs), work.stopped);
      }
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await wakeSignal.wait(pollMs, work.stopped);
  }
}

/** Works on the pending analyses of a kind, one after the other without rests, until none may start. Returns their number. */
export async function runPending(ctx: Context, kind: AnalyserKind, work: Work): Promise<number> {
  await requeueExpired(ctx, work);
  let done = 0;
  while (await runNext(ctx, kind, work)) done++;
  return done;
}

function requeueExpired(ctx: Context, { holder }: Work): Promise<number> {
  return requeueLost(ctx.rows, { holder, now: ctx.now(), isOnlyProcess: false });
}

/** False if there is no analysis that may start now. */
async function runNext(ctx: Context, kind: AnalyserKind, work: Work): Promise<boolean> {
  if (work.stopped.aborted) return false;
  const claimed = await claimNext(ctx.rows, { holder: work.holder, kind, now: ctx.now() });
  if (claimed === undefined) return false;
  await processAnalysis(ctx, claimed, work);
  return true;
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

/** An analysis takes longer while uploads keep the machine busy: then the rest after it is longer, too. */
export function restMsAfter(tookMs: number): number {
  return Math.min(restPerWork * tookMs, restMsMax);
}

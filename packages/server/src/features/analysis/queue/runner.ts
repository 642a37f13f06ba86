import { setTimeout as sleep } from "node:timers/promises";
import type { AnalysisRow } from "#analysis/store/stored-analysis.ts";
import type { Context } from "#context";
import { JobLog } from "#store/job-log.ts";
import { type AnalyserKind, claimNext, requeueLost } from "./claim.ts";
import { processAnalysis, type Work } from "./process.ts";

/**
 * How many analyses of a kind run at once in this process. The built-in analyser runs one: two would make uploads wait. Those of a
 * language model mostly wait for its answer.
 *
 * After an analysis its slot rests for `restPerWork` times as long as the analysis took, so that a long queue does not make uploads wait.
 */
const slots: Readonly<Record<AnalyserKind, { readonly count: number; readonly restPerWork: number }>> = {
  builtin: { count: 1, restPerWork: 4 },
  model: { count: 4, restPerWork: 0 },
};
const restMsMax = 2_000;
/** How often the queue is read for analyses that other processes queued or left behind. Those of this process start at once. */
const pollMs = 5_000;

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

/** Seconds: an idle server begins at once, a busy one after the analyses before. */
const waitBounds = [0.1, 1, 10, 60, 600, 3600];

/** Works on queued analyses until `work.stopped` is aborted. */
export async function keepAnalysing(ctx: Context, work: Work, wakeSignal: WakeSignal): Promise<void> {
  const kinds: AnalyserKind[] = ["builtin", "model"];
  await Promise.all(
    kinds.flatMap((kind) =>
      Array.from({ length: slots[kind].count }, () => keepSlotBusy(ctx, kind, work, wakeSignal)),
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
      await runPending(ctx, kind, work, slots[kind].restPerWork);
      jobLog.succeeded();
    } catch (error) {
      jobLog.failed(error);
    }
    await wakeSignal.wait(pollMs, work.stopped);
  }
}

/** Works on the pending analyses of a kind, one after the other, until none may start. Returns their number. */
export async function runPending(
  ctx: Context,
  kind: AnalyserKind,
  work: Work,
  restPerWork = 0,
): Promise<number> {
  const { holder, stopped } = work;
  await requeueLost(ctx.rows, { holder, now: ctx.now(), isOnlyProcess: false });
  for (let done = 0; ; done++) {
    if (stopped.aborted) return done;
    const startedMs = performance.now();
    const claimed = await claimNext(ctx.rows, { holder, kind, now: ctx.now() });
    if (claimed === undefined) return done;
    observeWait(ctx, claimed);
    await processAnalysis(ctx, claimed, work);
    await rest(restMsAfter(performance.now() - startedMs, restPerWork), stopped);
  }
}

/** From the request on, earlier attempts included. */
function observeWait({ metrics, now }: Context, { provider, createdAt }: AnalysisRow): void {
  const seconds = Math.max(0, now().getTime() - Date.parse(createdAt)) / 1000;
  const help = "Time that analyses waited before they began, by provider.";
  metrics.observe("flamekeep_analysis_wait_seconds", help, seconds, { provider }, waitBounds);
}

function rest(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

/** An analysis takes longer while uploads keep the machine busy: then the rest after it is longer, too. */
export function restMsAfter(tookMs: number, restPerWork: number): number {
  return Math.min(restPerWork * tookMs, restMsMax);
}

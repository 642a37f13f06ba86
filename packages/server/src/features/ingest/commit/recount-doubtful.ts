import type { Log } from "#context";
import type { ColumnMaintenance } from "#store/column/column-store.ts";
import { JobLog } from "#store/job-log.ts";
import type { Committer } from "./committer.ts";

const checkMs = 15_000;
/** No rows are stored while hours are counted. After this many hours, those that wait are stored first. */
export const hoursPerTurnMax = 20;

interface Dependencies {
  readonly store: Pick<ColumnMaintenance, "doubtfulHours" | "recount">;
  readonly committer: Pick<Committer, "runBetweenRows">;
  readonly log: Pick<Log, "info" | "warn">;
  /** A full disk refuses the inserts of a recount too. */
  readonly isDiskFull: () => Promise<boolean>;
  /** A turn takes little longer for more hours. */
  readonly hoursPerTurn?: number;
  /** Remaining hours are counted after the next start. */
  readonly stopped?: AbortSignal;
}

/**
 * Recounts the hours whose roll-ups may lack rows: an insert failed, on a full disk for instance, or the engine ended
 * between rows and roll-ups.
 */
export async function recountDoubtful(
  { store, committer, log, isDiskFull, stopped, hoursPerTurn = hoursPerTurnMax }: Dependencies,
  jobLog = new JobLog(log, "the recount of hours whose inserts failed"),
): Promise<void> {
  try {
    while (store.doubtfulHours().length > 0 && stopped?.aborted !== true) {
      if (await isDiskFull()) return;
      await committer.runBetweenRows(async () => {
        const hours = store.doubtfulHours().slice(0, hoursPerTurn);
        if (hours.length === 0) return;
        await store.recount(hours);
        log.info({ hours: hours.length }, "recounted hours whose inserts had failed");
      });
    }
    jobLog.succeeded();
  } catch (error) {
    jobLog.failed(error);
  }
}

/** Returns a function that ends it and waits for a recount that runs. */
export function recountRegularly(dependencies: Omit<Dependencies, "stopped">): () => Promise<void> {
  const stopping = new AbortController();
  const jobLog = new JobLog(dependencies.log, "the recount of hours whose inserts failed");
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= recountDoubtful({ ...dependencies, stopped: stopping.signal }, jobLog).finally(() => {
      running = undefined;
    });
  }, checkMs);
  timer.unref();
  return async () => {
    clearInterval(timer);
    stopping.abort();
    await running;
  };
}

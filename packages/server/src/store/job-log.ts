import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import type { StoreLog } from "./log.ts";
import { StoreUnavailable } from "./unavailable.ts";

/** Runs jobs while the server listens. A server that stops aborts the signal and waits for their end. */
export function whileListening(app: FastifyInstance, run: (stopped: AbortSignal) => Promise<unknown>): void {
  const stopping = new AbortController();
  let running: Promise<unknown> = Promise.resolve();
  app.addHook("onListen", () => {
    running = run(stopping.signal);
  });
  app.addHook("preClose", async () => {
    stopping.abort();
    await running;
  });
}

interface Timing {
  readonly firstAfterMs?: number;
  readonly everyMs: number;
}

/** Repeats a job until the server stops. The run after a failed one continues where that stopped. */
export async function repeat(
  jobLog: JobLog,
  { firstAfterMs = 0, everyMs }: Timing,
  stopped: AbortSignal,
  run: () => Promise<unknown>,
): Promise<void> {
  await pause(firstAfterMs, stopped);
  while (!stopped.aborted) {
    try {
      await run();
      jobLog.succeeded();
    } catch (error) {
      if (!stopped.aborted) jobLog.failed(error);
    }
    await pause(everyMs, stopped);
  }
}

/** Ends early if the server stops. */
export function pause(ms: number, stopped: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { signal: stopped, ref: false }).catch(() => undefined);
}

/**
 * Logs the runs of a repeated job. While a store is unavailable, every run fails for the same reason, which the store
 * itself logs: one warning when that begins and one when it ends are enough. Other errors are logged each time, with stack.
 */
export class JobLog {
  readonly #log: Pick<StoreLog, "warn">;
  readonly #job: string;
  readonly #isFailureRepeated: boolean;
  #isWaiting = false;
  #hasFailed = false;

  /**
   * @param job the subject of a sentence, such as "the hourly roll-up"
   * @param options of a job that fails for the same reason until somebody changes a setting: only the first failure is logged
   */
  constructor(log: Pick<StoreLog, "warn">, job: string, { isFailureRepeated = true } = {}) {
    this.#log = log;
    this.#job = job;
    this.#isFailureRepeated = isFailureRepeated;
  }

  failed(error: unknown, fields: object = {}): void {
    const outage = outageOf(error);
    if (outage === undefined) {
      const isLogged = this.#isFailureRepeated || !this.#hasFailed;
      this.#hasFailed = true;
      if (isLogged) this.#log.warn({ err: error, ...fields }, `${this.#job} failed and will run again`);
    } else if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#log.warn(
        { reason: outage.message, ...fields },
        `${this.#job} waits until the store is available`,
      );
    }
  }

  succeeded(): void {
    this.#hasFailed = false;
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#log.warn({}, `${this.#job} runs again`);
  }
}

/** An operation may have wrapped it in a Failure for its caller. */
function outageOf(error: unknown): StoreUnavailable | undefined {
  const candidates = [error, error instanceof Error ? error.cause : undefined];
  return candidates.find((each) => each instanceof StoreUnavailable);
}

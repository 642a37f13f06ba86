import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import { StoreFull, StoreNotResponding, StoreUnavailable } from "#store/unavailable.ts";
import type { CommitterParts } from "./committer-parts.ts";

const waitMsMin = 100;
const waitMsMax = 1000;
const logEveryMs = minuteMs;
/** About eight seconds: a store that answers and refuses (out of memory) will probably refuse again. */
const refusalsMax = 10;

/** Repeats an operation while the store is unavailable. */
export class StoreRetry {
  readonly #parts: CommitterParts;
  readonly #onWait: (error: StoreUnavailable) => void;
  readonly #stopping = new AbortController();
  #logAgainMs = 0;

  /** @param onWait is called each time before it waits */
  constructor(parts: CommitterParts, onWait: (error: StoreUnavailable) => void = () => undefined) {
    this.#parts = parts;
    this.#onWait = onWait;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** `attempt` counts from 1. */
  async run<T>(operation: (attempt: number) => Promise<T>): Promise<T> {
    const { store, counters } = this.#parts;
    let refusals = 0;
    let wait = waitMsMin;
    for (let attempt = 1; ; attempt++, wait = Math.min(2 * wait, waitMsMax)) {
      try {
        return await operation(attempt);
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || error instanceof StoreFull || this.isStopped) throw error;
        if ((await store.isReady().catch(() => false)) && ++refusals === refusalsMax) throw error;
        counters.retried();
        this.#logWait(error);
        this.#onWait(error);
        await sleep(wait, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
      }
    }
  }

  /** Logs once a minute, because each batch tries again every second. The store itself logs that it stopped responding. */
  #logWait(error: StoreUnavailable): void {
    if (error instanceof StoreNotResponding || performance.now() < this.#logAgainMs) return;
    this.#logAgainMs = performance.now() + logEveryMs;
    this.#parts.log.warn({ reason: error.message }, "the column store is away: batches wait");
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { minuteMs } from "@flamekeep/contract/durations";
import { callAfterRunning } from "#ingest/admission/deadline.ts";
import { isDiskFull } from "#store/disk-space.ts";
import { StoreFull, StoreNotResponding, StoreUnavailable } from "#store/unavailable.ts";
import type { CommitterParts } from "./committer-parts.ts";

const waitMsMin = 100;
const waitMsMax = 1000;
const logEveryMs = minuteMs;
/** About eight seconds: a store that answers and refuses (out of memory) will probably refuse again. */
const refusalsMax = 10;
/** Senders wait for an attempt. */
const attemptMsMax = 5000;

/** Repeats operations while the store is unavailable, and notes that it is. */
export class StoreRetry {
  readonly #parts: CommitterParts;
  readonly #onOutage: (error: unknown) => void;
  readonly #stopping = new AbortController();
  #logAgainMs = 0;
  #outage: "away" | "full" | undefined;

  constructor(parts: CommitterParts, onOutage: (error: unknown) => void) {
    this.#parts = parts;
    this.#onOutage = onOutage;
  }

  /** Why rows cannot be stored now, as far as the latest operations show. */
  get outage(): "away" | "full" | undefined {
    return this.#outage;
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  stop(): void {
    this.#stopping.abort();
  }

  /** The store has taken rows, or answered a query. */
  noteAnswer(): void {
    this.#outage = undefined;
  }

  noteFailure(error: unknown): void {
    if (isDiskFull(error)) this.#outage = "full";
    else if (error instanceof StoreUnavailable) this.#outage = "away";
    this.#onOutage(error);
  }

  /** Runs it once; undefined if it fails, or takes too long. */
  async attempt<T>(operation: () => Promise<T>): Promise<T | undefined> {
    const late = Promise.withResolvers<never>();
    const cancel = callAfterRunning(attemptMsMax, () =>
      late.reject(new StoreNotResponding("The column store does not answer in time.")),
    );
    try {
      const result = await Promise.race([operation(), late.promise]);
      this.noteAnswer();
      return result;
    } catch (error) {
      this.noteFailure(error);
      const text = "whether these uploads are stored is unknown: the column store did not answer in time";
      this.#parts.log.warn({ err: error }, text);
      return undefined;
    } finally {
      cancel();
    }
  }

  /**
   * `attempt` counts from 1.
   *
   * @param kind which store the operation needs
   */
  async run<T>(operation: (attempt: number) => Promise<T>, kind: "column" | "row" = "column"): Promise<T> {
    const { store, counters } = this.#parts;
    let refusals = 0;
    let wait = waitMsMin;
    for (let attempt = 1; ; attempt++, wait = Math.min(2 * wait, waitMsMax)) {
      try {
        return await operation(attempt);
      } catch (error) {
        if (!(error instanceof StoreUnavailable)) throw error;
        this.noteFailure(error);
        if (error instanceof StoreFull || this.isStopped) throw error;
        if ((await store.isReady().catch(() => false)) && ++refusals === refusalsMax) throw error;
        counters.retried();
        this.#logWait(error, kind);
        await this.#pause(wait);
      }
    }
  }

  /** Repeats a read of the row store for some seconds. That it is away says nothing about the column store. */
  async runOnRows<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1, wait = waitMsMin; ; attempt++, wait = Math.min(2 * wait, waitMsMax)) {
      try {
        return await read();
      } catch (error) {
        if (!(error instanceof StoreUnavailable) || attempt === refusalsMax || this.isStopped) throw error;
        await this.#pause(wait);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined);
  }

  /** Logs once a minute, because each batch tries again every second. The store itself logs that it stopped responding. */
  #logWait(error: StoreUnavailable, kind: "column" | "row"): void {
    if (error instanceof StoreNotResponding || performance.now() < this.#logAgainMs) return;
    this.#logAgainMs = performance.now() + logEveryMs;
    this.#parts.log.warn({ reason: error.message }, `the ${kind} store is away: rows wait`);
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import { StoreNotResponding } from "#store/unavailable.ts";
import { Interruptible } from "./interruptible.ts";

/** Operations that run longer may have no reply coming. */
const askAfterMs = 2_000;
const betweenPingsMs = 500;
/** A busy server, or a busy process here, may miss one. */
const missedPings = 3;

/**
 * Notices that a ClickHouse server accepts requests and answers none: it is frozen, or the network loses them. Reads fail then, and those that
 * follow, until it answers a ping. Inserts that run are not given up: the server may still complete them.
 */
export class ServerWatch {
  readonly #ping: () => Promise<boolean>;
  readonly #log: StoreLog;
  readonly #reads = new Interruptible();
  /** When the running operations began, in their order. */
  readonly #begun = new Map<symbol, number>();
  readonly #closed = new AbortController();
  #missed = 0;
  #isWatching = false;

  constructor(ping: () => Promise<boolean>, log: StoreLog) {
    this.#ping = ping;
    this.#log = log;
  }

  get isSilent(): boolean {
    return this.#missed >= missedPings;
  }

  requireAnswers(): void {
    if (this.isSilent) throw silent();
  }

  reading<T>(read: () => Promise<T>): Promise<T> {
    return this.#reads.run(() => this.during(read));
  }

  async during<T>(operation: () => Promise<T>): Promise<T> {
    const id = Symbol();
    this.#begun.set(id, performance.now());
    this.#watch().catch((error: unknown) => this.#log.error({ err: error }, "ClickHouse is not watched"));
    try {
      return await operation();
    } finally {
      this.#begun.delete(id);
    }
  }

  close(): void {
    this.#closed.abort();
  }

  async #watch(): Promise<void> {
    if (this.#isWatching) return;
    this.#isWatching = true;
    try {
      while ((this.isSilent || this.#begun.size > 0) && !this.#closed.signal.aborted) {
        await sleep(betweenPingsMs, undefined, { ref: false });
        if (this.isSilent || this.#isOneLong()) await this.#ask();
      }
    } finally {
      this.#isWatching = false;
    }
  }

  #isOneLong(): boolean {
    const [oldestMs = Number.POSITIVE_INFINITY] = this.#begun.values();
    return performance.now() - oldestMs >= askAfterMs;
  }

  async #ask(): Promise<void> {
    const answers = await this.#ping();
    if (this.#closed.signal.aborted) return;
    const wasSilent = this.isSilent;
    this.#missed = answers ? 0 : this.#missed + 1;
    if (this.isSilent === wasSilent) return;
    if (wasSilent) this.#log.warn({}, "ClickHouse answers again");
    else {
      this.#log.error({}, "ClickHouse does not answer");
      this.#reads.interrupt(silent());
    }
  }
}

function silent(): StoreNotResponding {
  return new StoreNotResponding("ClickHouse does not answer.");
}

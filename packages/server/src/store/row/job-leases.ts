import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { StoreLog } from "#store/log.ts";
import { type Lease, releaseLease, takeTerm } from "./job-lease.ts";
import type { RowStore } from "./row-store.ts";

/** Another process takes over from one that died after this time. */
const lastsMsDefault = 30_000;
/** A stop does not wait longer for a database that hangs. */
const releaseMsMax = 5_000;

/** The time for which this process alone may run a job. */
export interface Term {
  /** Higher for each next holder of the lease. */
  readonly number: number;
  /** Aborts when the lease ends, even while the database does not answer: another process may begin. */
  readonly ended: AbortSignal;
  /** Milliseconds until then, without another renewal. */
  leftMs(): number;
}

interface Held {
  readonly lease: Lease;
  readonly number: number;
  readonly end: AbortController;
  endsMs: number;
  timer?: NodeJS.Timeout;
}

interface LeaseOptions {
  /** Whether other processes may use the same stores. */
  readonly isShared: boolean;
  readonly now: () => Date;
  readonly lastsMs?: number;
}

/**
 * The leases of this process, one for each job that one process of the installation runs at a time. A lease that was taken is renewed
 * until the process stops. A process that is the only one holds all of them.
 */
export class JobLeases implements AsyncDisposable {
  readonly #rows: RowStore;
  readonly #log: Pick<StoreLog, "warn">;
  readonly #now: () => Date;
  readonly #holder = randomUUID();
  readonly #lastsMs: number;
  readonly #held = new Map<string, Held>();
  readonly #alone: Term = {
    number: 1,
    ended: new AbortController().signal,
    leftMs: () => Number.POSITIVE_INFINITY,
  };
  readonly #isShared: boolean;
  #timer: NodeJS.Timeout | undefined;
  #renewing: Promise<void> = Promise.resolve();

  constructor(
    rows: RowStore,
    log: Pick<StoreLog, "warn">,
    { isShared, now, lastsMs = lastsMsDefault }: LeaseOptions,
  ) {
    this.#rows = rows;
    this.#log = log;
    this.#now = now;
    this.#lastsMs = lastsMs;
    this.#isShared = isShared;
  }

  /** Undefined while another process runs the job. */
  async lead(name: string): Promise<Term | undefined> {
    if (!this.#isShared) return this.#alone;
    const held = this.#held.get(name);
    if (held !== undefined && performance.now() < held.endsMs) return termOf(held);
    return this.#take(name);
  }

  /** Runs the job if this process may. Its signal aborts when the server stops or the lease ends. */
  async run(
    name: string,
    stopped: AbortSignal,
    job: (ended: AbortSignal) => Promise<unknown>,
  ): Promise<void> {
    const term = await this.lead(name);
    if (term !== undefined) await job(AbortSignal.any([stopped, term.ended]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    const leases = [...this.#held.values()].map((held) => {
      this.#end(held);
      return held.lease;
    });
    const release = () => Promise.all(leases.map((lease) => releaseLease(this.#rows, lease)));
    const releasing = this.#renewing
      .then(release)
      .catch((error: unknown) =>
        this.#log.warn({ err: error }, "leases were not released; they expire by themselves"),
      );
    await Promise.race([releasing, sleep(releaseMsMax, undefined, { ref: false })]);
  }

  async #take(name: string): Promise<Term | undefined> {
    const lease: Lease = { name, holder: this.#holder, lastsMs: this.#lastsMs };
    const askedMs = performance.now();
    const number = await takeTerm(this.#rows, lease, this.#now());
    const former = this.#held.get(name);
    if (former !== undefined && former.number !== number) this.#end(former);
    if (number === undefined) return undefined;
    const held = this.#held.get(name) ?? { lease, number, end: new AbortController(), endsMs: 0 };
    this.#held.set(name, held);
    held.endsMs = askedMs + this.#lastsMs;
    clearTimeout(held.timer);
    held.timer = setTimeout(() => this.#end(held), held.endsMs - performance.now()).unref();
    this.#timer ??= setInterval(() => {
      this.#renewing = this.#renewing.then(() => this.#renew());
    }, this.#lastsMs / 3).unref();
    return termOf(held);
  }

  /** While the database is away the leases end by themselves, and the jobs say that it is away. */
  async #renew(): Promise<void> {
    for (const name of [...this.#held.keys()]) await this.#take(name).catch(() => undefined);
  }

  #end({ lease, end, timer }: Held): void {
    clearTimeout(timer);
    this.#held.delete(lease.name);
    end.abort(new Error(`the lease of the job ${lease.name} ended`));
  }
}

function termOf(held: Held): Term {
  return { number: held.number, ended: held.end.signal, leftMs: () => held.endsMs - performance.now() };
}

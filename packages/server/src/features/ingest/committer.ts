import { StoreUnavailable } from "#store/column/unavailable.ts";
import { Turns } from "#store/turns.ts";
import { type BatchItem, bytesOf, writeProfiles, writeReferred } from "./batch.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { Persistence } from "./persistence.ts";
import { splitStored } from "./split-stored.ts";

export type Committed = "stored" | "duplicate";

interface Pending {
  readonly item: BatchItem;
  readonly bytes: number;
  readonly settle: (outcome: Committed | Error) => void;
}

interface Batch {
  /** When it was taken. */
  readonly epoch: number;
  /** How often something of it was given up. */
  gaveUp: number;
}

/** A batch waits this long for company, or until it has this much. */
const gatherMs = 25;
const gatherBytesMax = 4 * 1024 * 1024;
/** Worth a line in the log: senders are near to giving up. */
const slowMs = 5000;
/** What came while the batch before was written goes together: larger inserts cost less per profile. */
const batchBytesMax = 16 * 1024 * 1024;

/** While one batch's profiles are written, what the next one refers to can be. More would only cost memory. */
const batchesMax = 2;

/**
 * Group commit: what arrives within 25 ms, or 4 MB of it, goes to the store in one batch.
 *
 * ```
 * batch 1   stored? | stacks, frames, payloads | profiles
 * batch 2                                        stored? | stacks, frames, payloads | profiles
 * ```
 *
 * Each step of a batch comes after the same step of the batch before, because a profile may refer to stacks that
 * came with an earlier one. While the store is away batches wait and are written again under the same tokens.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #persistence: Persistence;
  #pending: Pending[] = [];
  #pendingBytes = 0;
  #running: Promise<void> | undefined;
  #wake: (() => void) | undefined;
  #epoch = 0;
  readonly #turns = new Turns();
  readonly #writing = new Set<Promise<void>>();
  readonly #referred = new Turns();
  readonly #profiles = new Turns();

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    this.#persistence = new Persistence(parts);
  }

  /**
   * Goes up when something is given up: items made before may refer to definitions that were in it, and are refused.
   */
  get epoch(): number {
    return this.#epoch;
  }

  /** Resolves when the item is on disk, or found to have been. Rejects when the store refuses it for good. */
  commit(item: BatchItem): Promise<Committed> {
    if (this.#persistence.isStopped) return Promise.reject(new StoreUnavailable("The server is stopping."));
    if (item.epoch !== this.#epoch) return Promise.reject(orphaned());
    return new Promise((resolve, reject) => {
      const settle = (outcome: Committed | Error) =>
        outcome instanceof Error ? reject(outcome) : resolve(outcome);
      const bytes = bytesOf(item.lines);
      this.#pending.push({ item, bytes, settle });
      this.#pendingBytes += bytes;
      if (this.#pendingBytes >= gatherBytesMax) this.#wake?.();
      this.#running ??= this.#run();
    });
  }

  /** Runs while no batch is written: what is handed in meanwhile waits. */
  between<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turns.run(async () => {
      await Promise.all(this.#writing);
      return operation();
    });
  }

  /** Finishes what was handed in; gives up on it only when the store stays away for `msMax`. */
  async stop(msMax: number): Promise<void> {
    this.#wake?.();
    const timer = setTimeout(() => this.#persistence.stop(), msMax);
    await this.#running;
    await Promise.all(this.#writing);
    clearTimeout(timer);
    this.#persistence.stop();
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      while (this.#writing.size >= batchesMax) await Promise.race(this.#writing);
      if (this.#pendingBytes < gatherBytesMax) await this.#gather();
      const batch = this.#take();
      if (batch.length > 0) await this.#turns.run(async () => this.#start(batch));
    }
    // In the same tick as the look at what is pending: nothing handed in can fall between.
    this.#running = undefined;
  }

  #start(batch: readonly Pending[]): void {
    const writing = this.#store(batch).finally(() => this.#writing.delete(writing));
    this.#writing.add(writing);
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, gatherMs);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #take(): Pending[] {
    let count = 0;
    let bytes = 0;
    while (count < this.#pending.length && bytes < batchBytesMax) bytes += this.#pending[count++]!.bytes;
    this.#pendingBytes -= bytes;
    return this.#pending.splice(0, count);
  }

  async #store(pending: readonly Pending[]): Promise<void> {
    const { store } = this.#parts;
    const start = performance.now();
    const batch: Batch = { epoch: this.#epoch, gaveUp: 0 };
    try {
      const referred = await this.#referred.run(async () => {
        const { stored, missing } = await this.#persistence.run(() =>
          splitStored(store, pending, ({ item }) => item),
        );
        for (const { settle } of stored) settle("duplicate");
        return this.#inHalves(batch, missing, writeReferred);
      });
      const written = await this.#profiles.run(() => {
        if (this.#epoch !== batch.epoch + batch.gaveUp) throw orphaned();
        return this.#inHalves(batch, referred, writeProfiles);
      });
      for (const { settle } of written) settle("stored");
      this.#measured(written.length, performance.now() - start);
    } catch (error) {
      this.#giveUp(batch, pending, error as Error);
    }
  }

  #measured(profiles: number, ms: number): void {
    this.#parts.counters.batch(profiles, ms / 1000);
    if (ms > slowMs) this.#parts.log.warn({ ms: Math.round(ms), profiles }, "a slow commit");
  }

  /**
   * A store that refuses many items may do so for one of them, or for their size: the others must not suffer.
   * Returns those that were written; the rest was given up.
   */
  async #inHalves(
    batch: Batch,
    pending: readonly Pending[],
    write: typeof writeReferred,
  ): Promise<readonly Pending[]> {
    if (pending.length === 0) return pending;
    try {
      const items = pending.map(({ item }) => item);
      const era = await this.#parts.removals.era();
      await this.#persistence.run(() => write(this.#parts.store, items, era));
      return pending;
    } catch (error) {
      if (pending.length === 1 || error instanceof StoreUnavailable) {
        this.#giveUp(batch, pending, error as Error);
        return [];
      }
      const middle = pending.length >>> 1;
      const first = await this.#inHalves(batch, pending.slice(0, middle), write);
      return [...first, ...(await this.#inHalves(batch, pending.slice(middle), write))];
    }
  }

  #giveUp(batch: Batch, pending: readonly Pending[], error: Error): void {
    this.#epoch++;
    batch.gaveUp++;
    this.#parts.counters.gaveUp();
    this.#parts.log.error({ err: error, profiles: pending.length }, "profiles could not be stored");
    for (const { settle } of pending) settle(error);
    for (const { settle } of this.#pending) settle(orphaned());
    this.#pending = [];
    this.#pendingBytes = 0;
  }
}

function orphaned(): StoreUnavailable {
  return new StoreUnavailable("A batch this upload builds on could not be stored.");
}

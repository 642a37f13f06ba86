import { setTimeout as sleep } from "node:timers/promises";
import type { WaitingDefinitions, WaitingProfiles } from "#store/column/awaited-rows.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { isDiskFull } from "#store/disk-space.ts";
import { Turns } from "#store/turns.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, freeContent, hasProfile } from "./batch.ts";
import { type BatchHooks, BatchWriter } from "./batch-writer.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { definitionsOf, type PendingItem } from "./pending-item.ts";
import { stopping } from "./rejections.ts";
import { RowQueue } from "./row-queue.ts";
import type { StoreRetry } from "./store-retry.ts";

/** With more that is not written, further uploads wait. */
const waitingBytesMax = 24 * 1024 * 1024;
const againMs = 2_000;
const outagePollMs = 250;
/** Slower writes are logged. */
const slowMs = 5000;

interface Reader {
  /** The last entry that it must see. */
  readonly number: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

interface Hooks extends BatchHooks {
  /** The rows of these items are stored, or the items were given up. */
  readonly onDone: (batch: readonly PendingItem[]) => void;
  /** Infinity if there is none. */
  readonly firstPostponedPut: () => number;
}

/**
 * Writes the rows of uploads to the column store, in the order of their acknowledgement. Rows wait for company: a hundred profiles and
 * a second, 8 MB, or a minute. A read of rows that wait writes them first.
 */
export class RowWriter {
  readonly #parts: CommitterParts;
  readonly #hooks: Hooks;
  readonly #retry: StoreRetry;
  readonly #batches: BatchWriter;
  readonly #turns = new Turns();
  readonly #queue = new RowQueue();
  #oldestMs = 0;
  #sleepEndMs = 0;
  #isHurried = false;
  #readers: Reader[] = [];
  #wake: (() => void) | undefined;
  #room: (() => void)[] = [];
  #running: Promise<void> | undefined;
  #latestPut = 0;

  constructor(parts: CommitterParts, hooks: Hooks) {
    this.#parts = parts;
    this.#hooks = hooks;
    this.#retry = hooks.retry;
    this.#batches = new BatchWriter(parts, hooks);
  }

  get #cannotWrite(): boolean {
    const { outage, isStopped } = this.#retry;
    return outage === "full" || isStopped || this.#parts.store.health().outage !== undefined;
  }

  /** Whether the store has not answered an insert for a while. */
  get isUnanswered(): boolean {
    return performance.now() - this.#batches.attemptSinceMs > slowMs;
  }

  /** See `BatchWriter.isDependent`. */
  isDependent(item: BatchItem): boolean {
    return this.#batches.isDependent(item);
  }

  add(pending: PendingItem, isDoubtful: boolean): void {
    this.#queue.push(pending, isDoubtful);
    this.#latestPut = Math.max(this.#latestPut, pending.put);
    this.#begin();
  }

  /** See `definitionsOf`. */
  addDefinitions(items: readonly BatchItem[]): void {
    for (const pending of items.map(definitionsOf))
      if (pending !== undefined) this.#queue.push(pending, false);
    this.#begin();
  }

  /** Resolves when further items may be added, or the store is away: then nobody waits for it. */
  async room(): Promise<void> {
    while (this.#queue.bytes > waitingBytesMax && this.#retry.outage === undefined && !this.#cannotWrite) {
      this.hurry();
      const pause = sleep(outagePollMs, undefined, { ref: false });
      await Promise.race([new Promise<void>((resolve) => this.#room.push(resolve)), pause]);
    }
  }

  /**
   * Resolves when rows of the scope that were added before are stored, at once if none wait. Throws StoreUnavailable if the store
   * cannot take them. Where the disk is full, or the store does not answer, it does not wait.
   */
  async settle(scope: ReadScope | undefined): Promise<void> {
    const number = this.#queue.lastIn(scope);
    if (number === undefined) return;
    const stored = this.#stored(number);
    this.hurry();
    await stored;
  }

  waitingDefinitions(orgId: string, stackIds: BigUint64Array): WaitingDefinitions {
    return this.#queue.definitionsOf(orgId, stackIds);
  }

  /** The profiles of the scope that wait, once none of it are being written. */
  async waiting(scope: ReadScope | undefined): Promise<WaitingProfiles> {
    // Their rows have to be made again.
    if (this.#queue.itemsIn(scope).some((item) => this.isDependent(item))) await this.settle(scope);
    let number = this.#queue.lastWrittenIn(scope);
    while (number !== undefined && !this.#cannotWrite) {
      await this.#stored(number);
      number = this.#queue.lastWrittenIn(scope);
    }
    const { batches } = this.#queue;
    return {
      profiles: this.#queue.profilesIn(scope),
      // A store that could not be written may have come back since.
      isCurrent: () => this.#queue.batches === batches && (number === undefined || this.#cannotWrite),
    };
  }

  /** Resolves when this entry and those before it are stored: see `settle`. */
  async #stored(number: number): Promise<void> {
    if (this.#retry.outage === "full") return;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#readers.push({ number, resolve, reject });
    const isSettled = promise.then(() => true);
    // A rejection is reported where it is awaited.
    isSettled.catch(() => undefined);
    for (;;) {
      const pause = sleep(outagePollMs, false, { ref: false });
      if (await Promise.race([isSettled, pause])) return;
      if (this.#parts.store.health().outage !== undefined) return;
    }
  }

  /** Runs while no rows are written. */
  runBetween<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turns.run(operation);
  }

  /** Runs while no row waits or is written. Throws StoreUnavailable if the store cannot take those that wait. */
  async runAlone<T>(operation: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.settle(undefined);
      if (!this.#queue.isEmpty && this.#cannotWrite) {
        throw new StoreUnavailable("The column store cannot take the rows of earlier uploads now.");
      }
      this.hurry();
      const outcome = await this.#turns.run(async () =>
        this.#queue.isEmpty ? { value: await operation() } : undefined,
      );
      if (outcome !== undefined) return outcome.value;
    }
  }

  /** Ends waiting for a store that is away. */
  stopWaiting(): void {
    this.#retry.stop();
    this.hurry();
  }

  /** Writes all rows that wait. The next start writes those that the store does not take now. */
  async stop(): Promise<void> {
    this.hurry();
    await this.#running;
    for (const pending of this.#queue.drain()) pending.reject(stopping());
  }

  /** To be called when the store could not be used: nobody waits for it. */
  noteOutage(error: unknown): void {
    for (const resume of this.#room.splice(0)) resume();
    this.#failReaders(error);
  }

  /** Ends the wait for company. */
  hurry(): void {
    this.#isHurried = !this.#queue.isEmpty;
    this.#wake?.();
  }

  #begin(): void {
    if (this.#queue.isEmpty) return;
    if (this.#running === undefined) this.#oldestMs = performance.now();
    this.#running ??= this.#run();
    if (this.#dueMs < this.#sleepEndMs) this.#wake?.();
  }

  /** When the next batch is to be written. */
  get #dueMs(): number {
    const waitMs = Math.min(this.#parts.rowsWaitMs, this.#queue.waitMsMax);
    return this.#isHurried ? Number.NEGATIVE_INFINITY : this.#oldestMs + waitMs;
  }

  async #run(): Promise<void> {
    while (!this.#queue.isEmpty) {
      while (this.#dueMs > performance.now()) await this.#sleep(Math.max(0, this.#dueMs - performance.now()));
      await this.#turns.run(() => this.#writeNext());
      if (this.#retry.isStopped) break;
      this.#oldestMs = performance.now();
    }
    // In the same tick as the last check, so that no item is missed.
    this.#running = undefined;
    if (!this.#queue.isEmpty) this.#failReaders(stopping());
    for (const resume of this.#room.splice(0)) resume();
  }

  /** Until `#wake` is called. */
  async #sleep(ms: number): Promise<void> {
    this.#sleepEndMs = performance.now() + ms;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#wake = undefined;
  }

  async #writeNext(): Promise<void> {
    const start = performance.now();
    const batch = this.#queue.take();
    const last = batch.at(-1)?.number ?? 0;
    this.#isHurried = this.#readers.some(({ number }) => number > last);
    if (await this.#batches.write(batch, () => this.#sleep(againMs))) await this.#confirm();
    const items = batch.map(({ pending }) => pending.item);
    this.#queue.finish();
    for (const item of items) freeContent(item);
    this.#hooks.onDone(batch.map(({ pending }) => pending));
    this.#resolveReaders();
    for (const resume of this.#room.splice(0)) resume();
    this.#record(items.filter(hasProfile).length, performance.now() - start);
  }

  /** Puts whose rows are all stored, and counted, need no repetition. */
  async #confirm(): Promise<void> {
    if (this.#parts.store.maintenance.doubtfulHours().length > 0) return;
    const firstOpen = Math.min(this.#queue.firstPut, this.#hooks.firstPostponedPut());
    await this.#parts.payloads.confirm(Math.min(this.#latestPut, firstOpen - 1)).catch((error: unknown) => {
      this.#parts.log.error({ err: error }, "the upload log cannot note which uploads have their rows");
    });
  }

  #record(profiles: number, ms: number): void {
    if (profiles === 0) return;
    this.#parts.counters.batch(profiles, ms / 1000);
    if (ms > slowMs) this.#parts.log.warn({ ms: Math.round(ms), profiles }, "slow commit");
  }

  #resolveReaders(): void {
    const next = this.#queue.next?.number ?? Number.POSITIVE_INFINITY;
    const ready = this.#readers.filter(({ number }) => number < next);
    this.#readers = this.#readers.filter(({ number }) => number >= next);
    for (const { resolve } of ready) resolve();
  }

  #failReaders(error: unknown): void {
    for (const { resolve, reject } of this.#readers.splice(0)) {
      if (isDiskFull(error)) resolve();
      else reject(error);
    }
  }
}

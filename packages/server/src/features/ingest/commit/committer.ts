import { profileKey } from "#ingest/encode/profile-id.ts";
import type { WaitingProfiles } from "#store/column/awaited-rows.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { type DiskSpace, isDiskFull, roomBytes } from "#store/disk-space.ts";
import { Turns } from "#store/turns.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, bytesOf, freeContent } from "./batch.ts";
import { BatchQueue } from "./batch-queue.ts";
import {
  baseRejection,
  batchBytes,
  itemsOf,
  maybeStored,
  payloadsOf,
  type SplitBatch,
  separateFailedDays,
  separateRejected,
} from "./batch-steps.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { type Committed, PendingItem, resolveInTurns, settleLike } from "./pending-item.ts";
import { DefinitionLosses, dependencyNotStored, serviceBeingRemoved } from "./rejections.ts";
import { RowWriter } from "./row-writer.ts";
import { serviceKey } from "./service-removal-watch.ts";
import { StoreRetry } from "./store-retry.ts";
import { splitStored } from "./stored-items.ts";

/**
 * Makes uploads safe, and hands them to the writer of their rows. Uploads that arrive while the log is synced are in the next sync.
 * Where there is no log, uploads are safe once their rows are stored. The README draws the states.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #retry: StoreRetry;
  readonly #queue = new BatchQueue<PendingItem>();
  /** Items whose rows are not stored yet, by profile. */
  readonly #pendingByProfile = new Map<string, PendingItem>();
  readonly #losses = new DefinitionLosses();
  readonly #writer: RowWriter;
  #running: Promise<void> | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** Resolves when the senders of all safe profiles have their answer. */
  #allAnswered: Promise<unknown> = Promise.resolve();
  readonly #turns = new Turns();

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    this.#retry = new StoreRetry(parts);
    this.#writer = new RowWriter(parts, {
      losses: this.#losses,
      onDone: (batch) => this.#forget(batch),
      onLoss: (orgId, reason) => this.#rejectDependents(orgId, reason),
    });
  }

  /** The generation of the organization's stacks and frames in which new items have to be made. See `DefinitionLosses`. */
  generationOf(orgId: string): number {
    return this.#losses.generationOf(orgId);
  }

  /** The error for the item if definitions that it may refer to were lost. */
  lossAffecting(item: BatchItem): Error | undefined {
    return this.#losses.lossAffecting(item);
  }

  /** Resolves when the item is safe, or was before. Rejects when it cannot be made safe. The committer frees its content. */
  commit(item: BatchItem): Promise<Committed> {
    const pending = new PendingItem(item);
    const loss = this.#retry.isStopped
      ? new StoreUnavailable("The server is stopping.")
      : this.lossAffecting(item);
    const twin = this.#pendingByProfile.get(profileKey(item));
    if (loss !== undefined) pending.reject(loss);
    else if (twin !== undefined) settleLike(pending, twin);
    else {
      this.#pendingByProfile.set(profileKey(item), pending);
      this.#queue.push(item.orgId, bytesOf(item), pending);
      this.#running ??= this.#run();
    }
    return pending.committed;
  }

  /** Hands over an item that is safe already and whose rows are not stored. */
  repeat(item: BatchItem): void {
    const pending = new PendingItem(item);
    pending.decideStored();
    this.#pendingByProfile.set(profileKey(item), pending);
    this.#writer.add([pending], { isDoubtful: true, put: 0 });
  }

  /** Stores the definitions of an upload that will not be committed: later uploads may refer to them. */
  abandon(item: BatchItem): void {
    if (this.lossAffecting(item) === undefined) this.#writer.addDefinitions([item]);
    else freeContent(item);
  }

  /** Resolves when rows of the scope that are safe are stored: see `RowWriter.settle`. */
  settle(scope: ReadScope | undefined): Promise<void> {
    return this.#writer.settle(scope);
  }

  /** See `RowWriter.waiting`. */
  waiting(scope: ReadScope | undefined): Promise<WaitingProfiles> {
    return this.#writer.waiting(scope);
  }

  /** Resolves when further items can be repeated. */
  room(): Promise<void> {
    return this.#writer.room();
  }

  /** Runs while nothing is written and no rows wait; items that arrive meanwhile wait. */
  runBetweenBatches<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turns.run(() => this.#writer.runAlone(operation));
  }

  /** Runs while no rows are written. Uploads go on. */
  runBetweenRows<T>(operation: () => Promise<T>): Promise<T> {
    return this.#writer.runAlone(operation);
  }

  /** Repeats a read while the store is unavailable, for as long as a batch would wait. */
  retryWhileUnavailable<T>(read: () => Promise<T>): Promise<T> {
    return this.#retry.run(read);
  }

  /** From now on, batches wait at most `msMax` for an absent store. */
  limitWaiting(msMax: number): void {
    this.#stopTimer ??= setTimeout(() => {
      this.#retry.stop();
      this.#writer.stopWaiting();
    }, msMax);
  }

  /** Stores all pending items; gives up on them only if the store stays away for `msMax`. */
  async stop(msMax: number): Promise<void> {
    this.#queue.hurry();
    this.limitWaiting(msMax);
    await this.#running;
    await this.#writer.stop();
    await this.#allAnswered;
    clearTimeout(this.#stopTimer);
    this.#retry.stop();
    this.#writer.stopWaiting();
  }

  get #isRepeatable(): boolean {
    return this.#parts.payloads.repeatable !== undefined;
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0) {
      if (!this.#isRepeatable) await this.#queue.gathered();
      await this.#turns.run(() => this.#acceptNext());
    }
    // In the same tick as the last check of the queue, so that no item is missed.
    this.#running = undefined;
  }

  async #acceptNext(): Promise<void> {
    const start = performance.now();
    const bytesMax = await bytesThatFit(this.#parts);
    const batch = this.#queue.take(bytesMax);
    const [first] = batch;
    if (first === undefined) return;
    if (bytesOf(first.item) > bytesMax) {
      this.#refuse(batch, new StoreFull("The disk has no room for an upload."));
      return;
    }
    const finishWrite = startWrite(this.#parts.disk, batchBytes(batch));
    await this.#accept(batch).finally(finishWrite);
    this.#queue.noteWritten(performance.now() - start);
  }

  async #accept(batch: readonly PendingItem[]): Promise<void> {
    try {
      await this.#writer.room();
      const open = await this.#withoutRemoved(batch);
      if (open.length === 0) return;
      const { stored, missing, failed, ...facts } = await this.#put(open);
      this.#resolve(stored, "duplicate");
      this.#forget(stored);
      for (const { item } of stored) freeContent(item);
      this.#reject(failed);
      this.#writer.add(missing, facts);
      // Bytes that were in the log before may have an index, so that no start would look for their rows.
      if (this.#isRepeatable && !facts.isDoubtful) this.#resolve(missing, "stored");
      // Nothing else is safe before its rows are stored, and the next batch must not be larger than the store can take.
      else await this.#writer.settle(undefined).catch(() => undefined);
    } catch (error) {
      this.#refuse(
        batch.filter((pending) => !pending.isDecided),
        error as Error,
      );
    }
  }

  /**
   * Rejects items of services whose removal has not ended: a remaining profile would count as stored or be stored twice, and new
   * rows would be removed too. Also rejects snapshots that were compared with a rejected one.
   */
  async #withoutRemoved(batch: readonly PendingItem[]): Promise<readonly PendingItem[]> {
    const { removalWatch } = this.#parts;
    const unfinished = await this.#retry.run(() => removalWatch.unfinished());
    const [rejections, open] = separateRejected(batch, (item) => {
      if (unfinished.size > 0 && unfinished.has(serviceKey(item))) return serviceBeingRemoved(item.service);
      return baseRejection(item, item.payload);
    });
    this.#reject(rejections);
    return open;
  }

  /** Writes the payloads. A new payload proves without a query that its profile is not stored. */
  async #put(batch: readonly PendingItem[]): Promise<SplitBatch> {
    const { store, payloads } = this.#parts;
    const { number, possiblyStored, failedDays } = await this.#retry.run(() =>
      payloads.put(payloadsOf(batch, this.#isRepeatable)),
    );
    const [failed, written] = separateFailedDays(batch, failedDays);
    const unclear = maybeStored(written, possiblyStored);
    for (const pending of written) pending.freePayload();
    if (unclear.length === 0) return { stored: [], missing: written, failed, isDoubtful: false, put: number };
    await this.#parts.recovered();
    const { stored, missing } = await this.#retry.run(() =>
      splitStored(store.direct, unclear, ({ item }) => item),
    );
    const isDoubtful = missing.some(({ item }) => item.type !== "metrics");
    const storedItems = new Set(stored);
    // Keeps the order of arrival: a snapshot comes after its base.
    const others = written.filter((pending) => !storedItems.has(pending));
    return { stored, missing: others, failed, isDoubtful, put: number };
  }

  /** The next batch does not wait for the answers. */
  #resolve(batch: readonly PendingItem[], outcome: Committed): void {
    this.#allAnswered = Promise.all([this.#allAnswered, resolveInTurns(batch, outcome)]);
  }

  #reject(rejections: Parameters<RowWriter["reject"]>[0]): void {
    this.#writer.reject(rejections);
    this.#forget(rejections.map(({ pending }) => pending));
  }

  /** Nothing of the batch is safe. Its stacks and frames are stored, because other items may refer to them. */
  #refuse(batch: readonly PendingItem[], error: Error): void {
    if (batch.length === 0) return;
    this.#parts.counters.gaveUp();
    this.#parts.log.error({ err: error, profiles: batch.length }, "profiles could not be stored");
    for (const pending of batch) pending.reject(error);
    this.#forget(batch);
    if (!isDiskFull(error)) {
      this.#writer.addDefinitions(itemsOf(batch));
      return;
    }
    for (const { item } of batch) freeContent(item);
    for (const orgId of new Set(batch.map(({ item }) => item.orgId))) this.#rejectDependents(orgId, error);
  }

  #forget(batch: readonly PendingItem[]): void {
    for (const pending of batch) {
      const key = profileKey(pending.item);
      if (this.#pendingByProfile.get(key) === pending) this.#pendingByProfile.delete(key);
    }
  }

  /** @param reason for the organization's uploads that may refer to lost definitions */
  #rejectDependents(orgId: string, reason: Error = dependencyNotStored()): void {
    this.#losses.add(orgId, reason);
    const dependents = this.#queue.drain(orgId);
    for (const pending of dependents) pending.reject(reason);
    this.#forget(dependents);
  }
}

/** Rows, roll-ups and the merges of both need room too. */
const bytesOnDiskFactor = 2;

/** The largest batch for which the disk has room. Payloads must not be written if the engine will refuse their rows. */
async function bytesThatFit({ disk, log }: Pick<CommitterParts, "disk" | "log">): Promise<number> {
  if (disk === undefined) return Number.POSITIVE_INFINITY;
  try {
    return (await roomBytes(disk)) / bytesOnDiskFactor;
  } catch (error) {
    // The stores then report themselves whether they can write.
    log.warn({ err: error }, "the free disk space cannot be read");
    return Number.POSITIVE_INFINITY;
  }
}

/** Counts the batch as written until the returned function is called. */
function startWrite(disk: DiskSpace | undefined, batchBytes: number): (() => void) | undefined {
  return disk?.startWrite(batchBytes * bytesOnDiskFactor);
}

import { profileKey } from "#ingest/encode/profile-id.ts";
import { isDiskFull } from "#store/disk-space.ts";
import { Turns } from "#store/turns.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, bytesOf, seriesHours, writeDefinitions } from "./batch.ts";
import { BatchQueue } from "./batch-queue.ts";
import { bytesThatFit, startWrite } from "./batch-room.ts";
import {
  baseRejection,
  batchBytes,
  halvesOf,
  itemsOf,
  maybeStored,
  payloadsOf,
  type Rejection,
  type SplitBatch,
  separateFailedDays,
  separateRejected,
} from "./batch-steps.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { DefinitionLosses } from "./definition-losses.ts";
import { type Committed, PendingItem, resolveInTurns, settleLike } from "./pending-item.ts";
import { dependencyNotStored, removePayloads, serviceBeingRemoved } from "./rejections.ts";
import { serviceKey } from "./service-removal-watch.ts";
import { StoreRetry } from "./store-retry.ts";
import { splitStored } from "./stored-items.ts";
import { type BatchHistory, writeUntilStored } from "./write-and-verify.ts";

/** Slower commits are logged, because senders are about to give up. */
const slowMs = 5000;

/**
 * Group commit: uploads that arrive within 25 ms, or under load within up to 75 ms or 16 MB, are written in one batch, one batch
 * at a time. While the store is unavailable the batch waits and is written again under the same tokens. The README draws its states.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #retry: StoreRetry;
  readonly #queue = new BatchQueue<PendingItem>();
  /** Pending items by profile: the store would accept the same profile twice in a batch. */
  readonly #pendingByProfile = new Map<string, PendingItem>();
  readonly #losses = new DefinitionLosses();
  #running: Promise<void> | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** Whether a batch was given up: parts of it may be stored. */
  #hasGivenUp = false;
  /** Resolves when the senders of all stored profiles have their answer. */
  #allAnswered: Promise<unknown> = Promise.resolve();
  readonly #turns = new Turns();

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    this.#retry = new StoreRetry(parts);
  }

  /** The generation of the organization's stacks and frames in which new items have to be made. See `DefinitionLosses`. */
  generationOf(orgId: string): number {
    return this.#losses.generationOf(orgId);
  }

  /** The error for the item if definitions that it may refer to were lost. */
  lossAffecting(item: BatchItem): Error | undefined {
    return this.#losses.lossAffecting(item);
  }

  /** Resolves when the item is on disk, or was before. Rejects when the store refuses it for good. */
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

  /** Stores the definitions of an upload that will not be committed: later uploads may refer to them. */
  async abandon(item: BatchItem): Promise<void> {
    if (this.lossAffecting(item) !== undefined) return;
    const areStored = await this.#turns.run(() => this.#storeDefinitions(item));
    if (!areStored) this.#rejectDependents(item.orgId, dependencyNotStored());
  }

  /** Runs between two batches; items that arrive meanwhile wait. */
  runBetweenBatches<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turns.run(operation);
  }

  /** Repeats a read while the store is unavailable, for as long as a batch would wait. */
  retryWhileUnavailable<T>(read: () => Promise<T>): Promise<T> {
    return this.#retry.run(read);
  }

  /** From now on, batches wait at most `msMax` for an absent store. */
  limitWaiting(msMax: number): void {
    this.#stopTimer ??= setTimeout(() => this.#retry.stop(), msMax);
  }

  /** Stores all pending items; gives up on them only if the store stays away for `msMax`. */
  async stop(msMax: number): Promise<void> {
    this.#queue.hurry();
    this.limitWaiting(msMax);
    await this.#running;
    await this.#allAnswered;
    clearTimeout(this.#stopTimer);
    this.#retry.stop();
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0) {
      await this.#queue.gathered();
      await this.#turns.run(() => this.#storeNext());
    }
    // In the same tick as the last check of the queue, so that no item is missed.
    this.#running = undefined;
  }

  async #storeNext(): Promise<void> {
    const { disk } = this.#parts;
    const bytesMax = await bytesThatFit(this.#parts);
    const batch = this.#queue.take(bytesMax);
    for (const { item } of batch) this.#pendingByProfile.delete(profileKey(item));
    const [first] = batch;
    if (first === undefined) return;
    if (bytesOf(first.item) > bytesMax) {
      this.#giveUpBatch(batch, new StoreFull("The disk has no room for an upload."));
      return;
    }
    const finishWrite = startWrite(disk, batchBytes(batch));
    await this.#store(batch).finally(finishWrite);
  }

  async #store(batch: readonly PendingItem[]): Promise<void> {
    const start = performance.now();
    try {
      const open = await this.#withoutRemoved(batch);
      if (open.length === 0) return;
      const { stored, missing, failed, isDoubtful } = await this.#split(open);
      this.#resolve(stored, "duplicate");
      const { restarts } = this.#parts.store.health();
      await this.#writeInParts(missing, { isDoubtful, restarts });
      await this.#reject(failed);
      this.#recordWrite(missing, performance.now() - start);
    } catch (error) {
      const open = batch.filter((pending) => !pending.isDecided);
      if (isDiskFull(error)) await removePayloads(itemsOf(open), this.#parts);
      this.#giveUpBatch(open, error as Error);
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
    await this.#reject(rejections);
    return open;
  }

  /** Rejects single items. Their stacks and frames are stored, because other items may refer to them. */
  async #reject(rejections: readonly Rejection[]): Promise<void> {
    if (rejections.length === 0) return;
    const items = itemsOf(rejections.map(({ pending }) => pending));
    await this.#retry.run(() => writeDefinitions(this.#parts.store, items));
    for (const { pending, error } of rejections) pending.reject(error);
  }

  /** Writes the payloads first: a new payload proves without a query that its profile is not stored. */
  async #split(batch: readonly PendingItem[]): Promise<SplitBatch> {
    const { store, payloads } = this.#parts;
    const { possiblyStored, failedDays } = await this.#retry.run(() => payloads.put(payloadsOf(batch)));
    const [failed, written] = separateFailedDays(batch, failedDays);
    const unclear = maybeStored(written, possiblyStored);
    if (unclear.length === 0) return { stored: [], missing: written, failed, isDoubtful: false };
    const { stored, missing } = await this.#retry.run(() => splitStored(store, unclear, ({ item }) => item));
    const isDoubtful = missing.some(({ item }) => item.payload !== undefined);
    const storedItems = new Set(stored);
    // Keeps the order of arrival: a snapshot comes after its base.
    return { stored, missing: written.filter((pending) => !storedItems.has(pending)), failed, isDoubtful };
  }

  /** The next batch does not wait for the answers. */
  #resolve(batch: readonly PendingItem[], outcome: Committed): void {
    this.#allAnswered = Promise.all([this.#allAnswered, resolveInTurns(batch, outcome)]);
  }

  #recordWrite(batch: readonly PendingItem[], ms: number): void {
    this.#queue.noteWritten(ms);
    this.#parts.counters.batch(batch.length, ms / 1000);
    if (ms > slowMs) this.#parts.log.warn({ ms: Math.round(ms), profiles: batch.length }, "slow commit");
  }

  /**
   * A store may refuse a batch because of one item or its size: then it is written by halves, so that the others are stored.
   * Throws where the store is away or full.
   */
  async #writeInParts(batch: readonly PendingItem[], { isDoubtful, restarts }: BatchHistory): Promise<void> {
    const parts = [batch];
    for (let isRepeated = isDoubtful; parts.length > 0; isRepeated = true) {
      const part = await this.#withoutDependents(parts.shift()!);
      if (part.length === 0) continue;
      try {
        await this.#write(itemsOf(part), { isDoubtful: isRepeated, restarts });
        this.#resolve(part, "stored");
      } catch (error) {
        if (error instanceof StoreUnavailable || isDiskFull(error)) throw error;
        if (part.length > 1) parts.unshift(...(await this.#halve(part)));
        else await this.#giveUpItem(part[0]!, error as Error);
      }
    }
  }

  /** Rejects items that depend on a rejected item of the same batch. */
  async #withoutDependents(part: readonly PendingItem[]): Promise<readonly PendingItem[]> {
    const open = part.filter((pending) => {
      const loss = this.lossAffecting(pending.item);
      if (loss !== undefined) pending.reject(loss);
      return loss === undefined;
    });
    const [dependents, independent] = separateRejected(open, (item) => baseRejection(item));
    await this.#reject(dependents);
    return independent;
  }

  /** Halves have other tokens than the batch, so that rows of the refused attempt are looked up first. */
  async #halve(batch: readonly PendingItem[]): Promise<(readonly PendingItem[])[]> {
    const { store } = this.#parts;
    const { stored, missing } = await this.#retry.run(() => splitStored(store, batch, ({ item }) => item));
    // If a view refused the batch, its roll-ups lack the stored rows.
    if (stored.length > 0) await store.maintenance.markDoubtful(seriesHours(itemsOf(stored)));
    this.#resolve(stored, "stored");
    return halvesOf(missing);
  }

  #write(items: readonly BatchItem[], { isDoubtful, restarts }: BatchHistory): Promise<void> {
    // Only a query shows whether HTTP requests are stored: no payload proves it.
    const areMaybeStored = this.#hasGivenUp && items.some(({ requestTimes }) => requestTimes !== undefined);
    const past = { isDoubtful: isDoubtful || areMaybeStored, restarts };
    return writeUntilStored(this.#parts, this.#retry, items, past);
  }

  async #storeDefinitions(item: BatchItem): Promise<boolean> {
    try {
      await this.#retry.run(() => writeDefinitions(this.#parts.store, [item]));
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error }, "the stacks of an upload could not be stored");
      return false;
    }
  }

  /** Gives up an item that the store refuses alone. If its definitions are stored, no other item depends on it. */
  async #giveUpItem(pending: PendingItem, error: Error): Promise<void> {
    const areStored = await this.#storeDefinitions(pending.item);
    this.#logGivenUp([pending], error);
    pending.reject(error);
    if (!areStored) this.#rejectDependents(pending.item.orgId, dependencyNotStored());
  }

  #giveUpBatch(batch: readonly PendingItem[], error: Error): void {
    this.#logGivenUp(batch, error);
    for (const pending of batch) pending.reject(error);
    const reason = isDiskFull(error) ? error : dependencyNotStored();
    for (const orgId of new Set(batch.map(({ item }) => item.orgId))) this.#rejectDependents(orgId, reason);
  }

  #logGivenUp(batch: readonly PendingItem[], error: Error): void {
    this.#hasGivenUp = true;
    this.#parts.counters.gaveUp();
    this.#parts.log.error({ err: error, profiles: batch.length }, "profiles could not be stored");
  }

  /** @param reason for the organization's uploads that may refer to lost definitions */
  #rejectDependents(orgId: string, reason: Error): void {
    this.#losses.add(orgId, reason);
    for (const pending of this.#queue.drain(orgId)) {
      this.#pendingByProfile.delete(profileKey(pending.item));
      pending.reject(reason);
    }
  }
}

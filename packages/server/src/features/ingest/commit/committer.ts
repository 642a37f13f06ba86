import { profileKey } from "#ingest/encode/profile-id.ts";
import type { WaitingDefinitions, WaitingProfiles } from "#store/column/awaited-rows.ts";
import type { ReadScope } from "#store/column/read-cache/changes.ts";
import { isDiskFull } from "#store/disk-space.ts";
import { Turns } from "#store/turns.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, bytesOf, freeContent } from "./batch.ts";
import { BatchQueue } from "./batch-queue.ts";
import {
  baseRejection,
  batchBytes,
  bytesOnDiskFactor,
  bytesThatFit,
  isIn,
  itemsOf,
  partition,
  payloadsOf,
  type Rejection,
  refusalsOfRepeated,
  separateFailedDays,
  separateRejected,
} from "./batch-steps.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { HeldAnswers } from "./held-answers.ts";
import { type Committed, PendingItem, resolveInTurns, settleLike } from "./pending-item.ts";
import { type PostponedUpload, PostponedUploads } from "./postponed-uploads.ts";
import { DefinitionLosses, serviceBeingRemoved, stopping } from "./rejections.ts";
import { RowWriter } from "./row-writer.ts";
import { serviceKey } from "./service-removal-watch.ts";
import { StoreRetry } from "./store-retry.ts";
import { splitStored } from "./stored-items.ts";

/**
 * Makes uploads safe, and hands them to the writer of their rows. Uploads that arrive while the log is synced are in the next sync.
 * Rows of uploads that the column store cannot take now are made later, from the log. The README draws the states.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #retry: StoreRetry;
  readonly #queue = new BatchQueue<PendingItem>();
  /** Items whose rows are not stored yet, by profile. */
  readonly #pendingByProfile = new Map<string, PendingItem>();
  readonly #losses = new DefinitionLosses();
  readonly #writer: RowWriter;
  readonly #held: HeldAnswers;
  #running: Promise<void> | undefined;
  #stopTimer: NodeJS.Timeout | undefined;
  /** Resolves when the senders of all safe profiles have their answer. */
  #allAnswered: Promise<unknown> = Promise.resolve();
  readonly #turns = new Turns();
  #betweenBatches = 0;
  readonly postponed: PostponedUploads;

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    this.#retry = new StoreRetry(parts, (error) => {
      this.#writer.noteOutage(error);
      this.#held.answerAll();
    });
    this.postponed = new PostponedUploads(this.#retry, this.#losses, parts.store.isReady);
    parts.counters.watchPostponed(() => this.postponed.size);
    this.#writer = new RowWriter(parts, {
      retry: this.#retry,
      losses: this.#losses,
      onDone: (batch) => this.#forget(batch),
      postpone: (batch) => this.#postpone(batch),
      firstPostponedPut: () => this.postponed.firstPut,
    });
    this.#held = new HeldAnswers(this.#writer, (batch) => this.#resolve(batch, "stored"));
  }

  /** The generation of the organization's stacks and frames in which new items have to be made. See `DefinitionLosses`. */
  generationOf(orgId: string): number {
    return this.#losses.generationOf(orgId);
  }

  get isStoreAway(): boolean {
    return this.#retry.outage !== undefined;
  }

  /** Whether an operation between batches runs or waits, or an insert gets no answer: `runBetweenRows` may wait for long. */
  get isOccupied(): boolean {
    return this.#betweenBatches > 0 || this.#writer.isUnanswered;
  }

  get isStoreFull(): boolean {
    return this.#retry.outage === "full";
  }

  /** Resolves when the item is safe, or was before. Rejects when it cannot be made safe. The committer frees its content. */
  commit(item: BatchItem): Promise<Committed> {
    const pending = new PendingItem(item);
    const twin = this.#pendingByProfile.get(profileKey(item));
    if (this.#retry.isStopped) pending.reject(stopping());
    else if (twin !== undefined) settleLike(pending, twin);
    else {
      this.#pendingByProfile.set(profileKey(item), pending);
      this.#queue.push(item.orgId, bytesOf(item), pending);
      this.#running ??= this.#run();
    }
    return pending.committed;
  }

  /** Hands over an item that is safe already and whose rows are not stored. */
  repeat(item: BatchItem, upload?: PostponedUpload): void {
    const pending = new PendingItem(item);
    pending.put = upload?.put ?? 0;
    // A sender that repeats it is answered at once: the next start would find it, too.
    if (upload?.pending === undefined) pending.resolveAs("stored");
    else settleLike(upload.pending, pending, "stored");
    const twin = this.#pendingByProfile.get(profileKey(item));
    if (twin !== undefined) {
      settleLike(pending, twin);
      freeContent(item);
      return;
    }
    this.#pendingByProfile.set(profileKey(item), pending);
    this.#writer.add(pending, true);
    if (upload?.pending !== undefined) this.#writer.hurry();
  }

  /** Stores the definitions of an upload that will not be committed: later uploads may refer to them. */
  abandon(item: BatchItem): void {
    this.#writer.addDefinitions([item]);
  }

  /** Resolves when all acknowledged rows of the scope are stored: see `RowWriter.settle`. */
  settle(scope: ReadScope | undefined): Promise<void> {
    return this.#complete(() => this.#writer.settle(scope));
  }

  /** See `RowWriter.waiting`. */
  waiting(scope: ReadScope | undefined): Promise<WaitingProfiles> {
    return this.#complete(() => this.#writer.waiting(scope));
  }

  waitingDefinitions(orgId: string, stackIds: BigUint64Array): WaitingDefinitions {
    return this.#writer.waitingDefinitions(orgId, stackIds);
  }

  /** Rows that are being written may have to be made again. */
  async #complete<T>(wait: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.postponed.emptied();
      const result = await wait();
      if (!this.postponed.areAwaited || this.isStoreAway) return result;
    }
  }

  /** Resolves when those rows of the scope are stored that are made: for what makes the others. */
  written(scope: ReadScope | undefined): Promise<void> {
    return this.#writer.settle(scope);
  }

  /** Resolves when further items can be repeated. */
  room(): Promise<void> {
    return this.#writer.room();
  }

  /** Runs while nothing is written and no rows wait; items that arrive meanwhile wait. */
  async runBetweenBatches<T>(operation: () => Promise<T>): Promise<T> {
    this.#betweenBatches++;
    try {
      for (;;) {
        await this.postponed.emptied();
        const outcome = await this.#turns.run(async () =>
          this.postponed.isEmpty ? { value: await this.#writer.runAlone(operation) } : undefined,
        );
        if (outcome !== undefined) return outcome.value;
        this.postponed.refuseIfOwnerFull();
        if (this.isStoreAway) throw new StoreUnavailable("The rows of earlier uploads cannot be stored now.");
      }
    } finally {
      this.#betweenBatches--;
    }
  }

  /** Runs while no rows are written. Uploads go on. */
  runBetweenRows<T>(operation: () => Promise<T>): Promise<T> {
    return this.#writer.runBetween(operation);
  }

  /** Repeats a read while the store is unavailable. */
  async retryWhileUnavailable<T>(read: () => Promise<T>): Promise<T> {
    const result = await this.#retry.run(read);
    this.#retry.noteAnswer();
    return result;
  }

  /** From now on, batches wait at most `msMax` for an absent store. Nobody waits for rows that the next start can make. */
  limitWaiting(msMax: number): void {
    const canLeave = this.#parts.acknowledge === "log" && this.isStoreAway;
    this.#stopTimer ??= setTimeout(() => this.#endWaiting(), canLeave ? 0 : msMax);
  }

  /** Stores all pending items; leaves them to the next start only if the store stays away for `msMax`. */
  async stop(msMax: number): Promise<void> {
    this.limitWaiting(msMax);
    await this.#running;
    await this.#writer.stop();
    this.postponed.end();
    await this.#allAnswered;
    clearTimeout(this.#stopTimer);
    this.#endWaiting();
  }

  #endWaiting(): void {
    this.#retry.stop();
    this.#writer.stopWaiting();
  }

  async #run(): Promise<void> {
    while (this.#queue.size > 0) await this.#turns.run(() => this.#acceptNext());
    // In the same tick as the last check of the queue, so that no item is missed.
    this.#running = undefined;
  }

  async #acceptNext(): Promise<void> {
    const start = performance.now();
    const bytesMax = await bytesThatFit(this.#parts);
    const batch = this.#queue.take(bytesMax);
    const [first] = batch;
    if (first === undefined) return;
    if (bytesOf(first.item) > bytesMax)
      return this.#refuse(batch, new StoreFull("The disk has no room for an upload."));
    const finishWrite = this.#parts.disk.startWrite(batchBytes(batch) * bytesOnDiskFactor);
    await this.#accept(batch).finally(finishWrite);
    this.#queue.noteWritten(performance.now() - start);
  }

  async #accept(batch: readonly PendingItem[]): Promise<void> {
    try {
      await this.#writer.room();
      const open = await this.#withoutRemoved(batch);
      if (open.length > 0) await this.#put(open);
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
    const unfinished = await this.#retry.runOnRows(() => removalWatch.unfinished());
    const removed = await refusalsOfRepeated(batch, removalWatch);
    const [rejections, open] = separateRejected(batch, (item) => {
      const removal = removed.get(item);
      if (removal !== undefined) return removal;
      if (unfinished.size > 0 && unfinished.has(serviceKey(item))) return serviceBeingRemoved(item.service);
      return baseRejection(item, item.payload);
    });
    this.#reject(rejections);
    return open;
  }

  /** Writes the payloads, and hands over the items that were not stored before. All that is written is safe from here on. */
  async #put(batch: readonly PendingItem[]): Promise<void> {
    const { payloads, acknowledge } = this.#parts;
    const { number, failedDays, ...found } = await payloads.put(payloadsOf(itemsOf(batch)));
    const [failed, written] = separateFailedDays(batch, failedDays);
    this.#reject(failed);
    const wasWaiting = isIn(found.waiting);
    const wasInLog = isIn([...found.existing, ...found.waiting]);
    // Without a payload: an earlier attempt wrote it.
    const existing = new Set(
      written.filter((pending) => pending.item.payload === undefined || wasInLog(pending)),
    );
    const mayBeStored = isIn(found.unproven);
    for (const pending of written) {
      pending.put = number;
      if (payloads.keep === undefined || pending.item.type === "metrics") pending.freePayload();
    }
    const [later, ready] = partition(
      written,
      ({ item }) => item.isPostponed || this.#losses.areAffecting(item),
    );
    const unclear = ready.filter((pending) => existing.has(pending) || mayBeStored(pending));
    const { stored, unknown } = await this.#findStored(unclear, existing);
    // The log has them until their rows are stored, and their senders were answered.
    const [known, postponed] = partition(
      [...later, ...unknown],
      (pending) => acknowledge === "log" && wasWaiting(pending),
    );
    const duplicates = new Set([...known, ...stored]);
    this.#end([...duplicates], "duplicate");
    for (const { item } of postponed) item.snapshot?.markRejected();
    const missing = ready.filter((pending) => !duplicates.has(pending) && !unknown.has(pending));
    // No start looks for the rows of what was in the log before: it may have an index.
    const safe = (some: readonly PendingItem[]) =>
      acknowledge === "stored" ? [] : some.filter((each) => !existing.has(each));
    const [held, free] = partition(safe(missing), ({ item }) => item.isHeld === true);
    this.#resolve([...safe(postponed), ...free], "stored");
    this.#held.add(held);
    this.#postpone(postponed);
    for (const pending of missing) {
      const isDoubtful = existing.has(pending) && pending.item.type !== "metrics";
      this.#writer.add(pending, isDoubtful);
    }
    if (missing.some((pending) => !pending.isDecided && !held.includes(pending))) this.#writer.hurry();
  }

  /** Asks the store, once: where it does not answer, or not yet for all, nobody knows. */
  async #findStored(
    unclear: readonly PendingItem[],
    existing: ReadonlySet<PendingItem>,
  ): Promise<{ readonly stored: readonly PendingItem[]; readonly unknown: ReadonlySet<PendingItem> }> {
    if (unclear.length === 0) return { stored: [], unknown: new Set() };
    const { store } = this.#parts;
    // Their rows may be among those that are made later.
    const isTooEarly = !this.postponed.isEmpty && unclear.some((pending) => existing.has(pending));
    const split = isTooEarly
      ? undefined
      : await this.#retry.attempt(() => splitStored(store.direct, unclear, ({ item }) => item));
    return { stored: split?.stored ?? [], unknown: new Set(split === undefined ? unclear : []) };
  }

  #postpone(batch: readonly PendingItem[]): void {
    this.postponed.add(batch);
    this.#forget(batch);
  }

  #end(batch: readonly PendingItem[], outcome: Committed): void {
    this.#resolve(batch, outcome);
    this.#forget(batch);
    for (const { item } of batch) freeContent(item);
  }

  /** The next batch does not wait for the answers. */
  #resolve(batch: readonly PendingItem[], outcome: Committed): void {
    this.#allAnswered = Promise.all([this.#allAnswered, resolveInTurns(batch, outcome)]);
  }

  #reject(rejections: readonly Rejection[]): void {
    this.#writer.addDefinitions(itemsOf(rejections.map(({ pending }) => pending)));
    for (const { pending, error } of rejections) pending.reject(error);
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
    for (const orgId of new Set(batch.map(({ item }) => item.orgId))) this.#losses.add(orgId);
  }

  #forget(batch: readonly PendingItem[]): void {
    for (const pending of batch) {
      this.#held.forget(pending);
      const key = profileKey(pending.item);
      if (this.#pendingByProfile.get(key) === pending) this.#pendingByProfile.delete(key);
    }
  }
}

import { isDiskFull, roomBytes } from "#store/disk-space.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { Turns } from "#store/turns.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, bytesOf, seriesHours, writeDefinitions } from "./batch.ts";
import { BatchQueue } from "./batch-queue.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { DefinitionLosses } from "./definition-losses.ts";
import { type Committed, PendingItem, resolveInTurns, settleAs } from "./pending-item.ts";
import { Persistence } from "./persistence.ts";
import { BaseRejected, beingRemoved, DayNotWritten, dependencyNotStored } from "./rejections.ts";
import { serviceKey } from "./removals.ts";
import { splitStored } from "./split-stored.ts";
import { storedRequests } from "./stored-requests.ts";
import { takeBack } from "./take-back.ts";
import { writeAndVerify } from "./write-and-verify.ts";

interface Parted {
  readonly stored: readonly PendingItem[];
  readonly missing: readonly PendingItem[];
  /** Their bytes could not be written because of their day, or their base was rejected. Nothing of them is stored. */
  readonly failed: readonly Rejection[];
  /** Of some that are missing the bytes were there: they were on their way before. */
  readonly isDoubtful: boolean;
}

interface Rejection {
  readonly pending: PendingItem;
  readonly error: Error;
}

/** What is known of a batch before it is written. */
interface Past extends Pick<Parted, "isDoubtful"> {
  /** Ends of the engine before the first attempt. */
  readonly restarts: number;
}

/** Worth a line in the log: senders are near to giving up. */
const slowMs = 5000;
/** The log of a payload file holds the bytes a second time. */
const bytesOnDiskFactor = 2;

/**
 * Group commit: what arrives within 25 ms goes to the store in one batch, one batch at a time; under load within up to
 * 150 ms, or 16 MB of it.
 * While the store is away the batch waits and is written again under the same tokens.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #persistence: Persistence;
  readonly #pending = new BatchQueue<PendingItem>();
  /** What is pending, by profile: the store would take the same one twice in a batch. */
  readonly #waiting = new Map<string, PendingItem>();
  readonly #losses = new DefinitionLosses();
  #running: Promise<void> | undefined;
  #limit: NodeJS.Timeout | undefined;
  /** Something was given up, so that parts of it may be stored. */
  #hasGivenUp = false;
  /** Resolved when everybody whose profile is stored has the answer. */
  #resolved: Promise<unknown> = Promise.resolve();
  readonly #turns = new Turns();

  constructor(parts: CommitterParts) {
    this.#parts = parts;
    this.#persistence = new Persistence(parts);
  }

  /** Of the organization's stacks and frames: an item has to be made in the latest one. See `DefinitionLosses`. */
  generationOf(orgId: string): number {
    return this.#losses.generationOf(orgId);
  }

  /** Why the item would be rejected because of definitions that it may refer to. */
  lossBefore(item: BatchItem): Error | undefined {
    return this.#losses.lossBefore(item);
  }

  /** Resolves when the item is on disk, or found to have been. Rejects when the store refuses it for good. */
  commit(item: BatchItem): Promise<Committed> {
    const pending = new PendingItem(item);
    const loss = this.#persistence.isStopped
      ? new StoreUnavailable("The server is stopping.")
      : this.lossBefore(item);
    const twin = this.#waiting.get(keyOf(item));
    if (loss !== undefined) pending.reject(loss);
    else if (twin !== undefined) settleAs(pending, twin);
    else {
      this.#waiting.set(keyOf(item), pending);
      this.#pending.push(item.orgId, bytesOf(item), pending);
      this.#running ??= this.#run();
    }
    return pending.committed;
  }

  /** Of an upload that will not be handed in: those made after it may refer to the stacks that it brought. */
  async abandon(item: BatchItem): Promise<void> {
    if (this.lossBefore(item) !== undefined) return;
    const areKept = await this.#turns.run(() => this.#keepDefinitions(item));
    if (!areKept) this.#rejectDependents(item.orgId, dependencyNotStored());
  }

  /** Runs between two batches: what is handed in meanwhile waits. */
  between<T>(operation: () => Promise<T>): Promise<T> {
    return this.#turns.run(operation);
  }

  /** Repeats a read that an upload depends on while the store is away, as long as a batch would wait for it. */
  whileAway<T>(read: () => Promise<T>): Promise<T> {
    return this.#persistence.run(read);
  }

  /** From now on an absent store is waited for `msMax` and no longer. */
  limitWaiting(msMax: number): void {
    this.#limit ??= setTimeout(() => this.#persistence.stop(), msMax);
  }

  /** Finishes what was handed in; gives up on it only when the store stays away for `msMax`. */
  async stop(msMax: number): Promise<void> {
    this.#pending.hurry();
    this.limitWaiting(msMax);
    await this.#running;
    await this.#resolved;
    clearTimeout(this.#limit);
    this.#persistence.stop();
  }

  async #run(): Promise<void> {
    while (this.#pending.size > 0) {
      await this.#pending.gathered();
      await this.#turns.run(() => this.#storeNext());
    }
    // In the same tick as the look at what is pending: nothing handed in can fall between.
    this.#running = undefined;
  }

  async #storeNext(): Promise<void> {
    const bytesMax = await this.#bytesThatFit();
    const batch = this.#pending.take(bytesMax);
    for (const { item } of batch) this.#waiting.delete(keyOf(item));
    const [first] = batch;
    if (first === undefined) return;
    if (bytesOf(first.item) > bytesMax) {
      this.#giveUp(batch, new StoreFull("The disk has no room for an upload."));
      return;
    }
    const bytes = batch.reduce((sum, { item }) => sum + bytesOf(item), 0);
    const finishWrite = this.#parts.disk?.startWrite(bytes * bytesOnDiskFactor);
    await this.#store(batch).finally(finishWrite);
  }

  /** Bytes must not be written whose rows the engine will then refuse. */
  async #bytesThatFit(): Promise<number> {
    const { disk, log } = this.#parts;
    if (disk === undefined) return Number.POSITIVE_INFINITY;
    try {
      return (await roomBytes(disk)) / bytesOnDiskFactor;
    } catch (error) {
      // The stores will say whether they can write.
      log.warn({ err: error }, "the free disk space cannot be read");
      return Number.POSITIVE_INFINITY;
    }
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
      this.#measured(missing, performance.now() - start);
    } catch (error) {
      const open = batch.filter((pending) => !pending.isDecided);
      if (isDiskFull(error)) await takeBack(itemsOf(open), this.#parts);
      this.#giveUp(open, error as Error);
    }
  }

  /**
   * Rejects what belongs to a service whose removal was cut off: a profile that is left of it would be taken for
   * stored or be stored twice, and what is stored now would go when the removal goes on. And what was compared with a
   * snapshot that is rejected.
   */
  async #withoutRemoved(batch: readonly PendingItem[]): Promise<readonly PendingItem[]> {
    const { removals } = this.#parts;
    const unfinished = await this.#persistence.run(() => removals.unfinished());
    const [rejections, open] = withoutRejected(batch, (item) => {
      if (unfinished.size > 0 && unfinished.has(serviceKey(item))) return beingRemoved(item.service);
      return item.snapshot?.isRejected ? new BaseRejected(item.payload) : undefined;
    });
    await this.#reject(rejections);
    return open;
  }

  /** Rejects single items. Others may refer to the stacks and frames that they brought, so that those are stored. */
  async #reject(rejections: readonly Rejection[]): Promise<void> {
    if (rejections.length === 0) return;
    const items = itemsOf(rejections.map(({ pending }) => pending));
    await this.#persistence.run(() => writeDefinitions(this.#parts.store, items));
    for (const { pending, error } of rejections) pending.reject(error);
  }

  /** Original bytes go first: where they are new, nobody has to be asked whether the profile is. */
  async #split(batch: readonly PendingItem[]): Promise<Parted> {
    const { store, payloads } = this.#parts;
    const profiles = batch.flatMap(({ item: { orgId, profileId, type, payload } }) =>
      payload === undefined || type === "metrics" ? [] : { orgId, profileId, type, bytes: payload },
    );
    const { known, failedDays } = await this.#persistence.run(() => payloads.put(profiles));
    const failures = new Map(failedDays.map((failedDay) => [failedDay.day, failedDay]));
    const [failed, written] = withoutRejected(batch, (item) => {
      const failedDay = item.payload === undefined ? undefined : failures.get(dayOf(item.profileId) ?? "");
      if (failedDay !== undefined) return new DayNotWritten(failedDay, item);
      return item.snapshot?.isRejected ? new BaseRejected() : undefined;
    });
    const knownIds = new Set(known.map(({ profileId }) => profileId));
    const isNew = ({ item }: PendingItem) => item.payload !== undefined && !knownIds.has(item.profileId);
    const asked = written.filter((pending) => !isNew(pending));
    if (asked.length === 0) return { stored: [], missing: written, failed, isDoubtful: false };
    const { stored, missing } = await this.#persistence.run(() =>
      splitStored(store, asked, ({ item }) => item),
    );
    const isDoubtful = missing.some(({ item }) => item.payload !== undefined);
    const found = new Set(stored);
    // In the order in which they came: a snapshot comes after the one that it was compared with.
    return { stored, missing: written.filter((pending) => !found.has(pending)), failed, isDoubtful };
  }

  /** The next batch does not wait for it. */
  #resolve(batch: readonly PendingItem[], outcome: Committed): void {
    this.#resolved = Promise.all([this.#resolved, resolveInTurns(batch, outcome)]);
  }

  #measured(batch: readonly PendingItem[], ms: number): void {
    this.#pending.written(ms);
    this.#parts.counters.batch(batch.length, ms / 1000);
    if (ms > slowMs) this.#parts.log.warn({ ms: Math.round(ms), profiles: batch.length }, "a slow commit");
  }

  /**
   * A store that refuses a batch may do so for one of its items, or its size: it is written by halves then, so that the
   * others do not suffer. Throws where the store is away or full.
   */
  async #writeInParts(batch: readonly PendingItem[], { restarts, ...past }: Past): Promise<void> {
    const parts = [batch];
    for (let { isDoubtful } = past; parts.length > 0; isDoubtful = true) {
      const part = await this.#withoutDependents(parts.shift()!);
      if (part.length === 0) continue;
      try {
        await this.#write(itemsOf(part), { isDoubtful, restarts });
        this.#resolve(part, "stored");
      } catch (error) {
        if (error instanceof StoreUnavailable || isDiskFull(error)) throw error;
        if (part.length > 1) parts.unshift(...(await this.#halve(part)));
        else await this.#giveUpOne(part[0]!, error as Error);
      }
    }
  }

  /** Rejects what depends on an item of the same batch that was rejected. */
  async #withoutDependents(part: readonly PendingItem[]): Promise<readonly PendingItem[]> {
    const kept = part.filter(({ item }) => this.lossBefore(item) === undefined);
    if (kept.length < part.length) {
      for (const pending of part) {
        const loss = this.lossBefore(pending.item);
        if (loss !== undefined) pending.reject(loss);
      }
    }
    const [dependents, open] = withoutRejected(kept, ({ snapshot }) =>
      snapshot?.isRejected ? new BaseRejected() : undefined,
    );
    await this.#reject(dependents);
    return open;
  }

  /** Other halves have other tokens, so what the refused attempt left behind would be stored twice: it is looked for first. */
  async #halve(batch: readonly PendingItem[]): Promise<(readonly PendingItem[])[]> {
    const { store } = this.#parts;
    const { stored, missing } = await this.#persistence.run(() =>
      splitStored(store, batch, ({ item }) => item),
    );
    // If a view refused the batch, its roll-ups lack the rows that are stored.
    if (stored.length > 0) await store.markDoubtful(seriesHours(itemsOf(stored)));
    this.#resolve(stored, "stored");
    const middle = Math.ceil(missing.length / 2);
    return [missing.slice(0, middle), missing.slice(middle)];
  }

  async #keepDefinitions(item: BatchItem): Promise<boolean> {
    try {
      await this.#persistence.run(() => writeDefinitions(this.#parts.store, [item]));
      return true;
    } catch (error) {
      this.#parts.log.warn({ err: error }, "the stacks of an upload could not be stored");
      return false;
    }
  }

  async #write(items: readonly BatchItem[], { isDoubtful, restarts }: Past): Promise<void> {
    const { store, removals } = this.#parts;
    const era = await this.#persistence.run(() => removals.era());
    // Once, and not with each attempt: under the same token the same rows complete their roll-ups.
    const stored = await this.#persistence.run(() => storedRequests(store, items));
    // Nothing but a query tells whether requests came before: they have no original bytes that would be there.
    const mayBeThere = this.#hasGivenUp && items.some(({ requestTimes }) => requestTimes !== undefined);
    const isKnown = isDoubtful || stored.size > 0 || mayBeThere;
    await this.#persistence.run((attempt) => {
      const engineRestarted = store.health().restarts > restarts;
      return writeAndVerify(store, items, stored, {
        era,
        isDoubtful: isKnown || attempt > 1,
        engineRestarted,
      });
    });
  }

  /** Of an item that the store refuses by itself: where its definitions are stored, nothing else suffers. */
  async #giveUpOne(pending: PendingItem, error: Error): Promise<void> {
    const areKept = await this.#keepDefinitions(pending.item);
    this.#logGivenUp([pending], error);
    pending.reject(error);
    if (!areKept) this.#rejectDependents(pending.item.orgId, dependencyNotStored());
  }

  #giveUp(batch: readonly PendingItem[], error: Error): void {
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

  /** @param reason for uploads of the organization that may refer to definitions that are lost */
  #rejectDependents(orgId: string, reason: Error): void {
    this.#losses.add(orgId, reason);
    for (const pending of this.#pending.drain(orgId)) {
      this.#waiting.delete(keyOf(pending.item));
      pending.reject(reason);
    }
  }
}

/** Rejected snapshots count as such at once, for those after them that were compared with them. */
function withoutRejected(
  batch: readonly PendingItem[],
  errorOf: (item: BatchItem) => Error | undefined,
): [rejections: readonly Rejection[], open: readonly PendingItem[]] {
  const rejections: Rejection[] = [];
  const open: PendingItem[] = [];
  for (const pending of batch) {
    const error = errorOf(pending.item);
    if (error === undefined) open.push(pending);
    else {
      pending.item.snapshot?.markRejected();
      rejections.push({ pending, error });
    }
  }
  return [rejections, open];
}

function keyOf({ orgId, profileId }: BatchItem): string {
  return `${orgId}/${profileId}`;
}

function itemsOf(batch: readonly PendingItem[]): readonly BatchItem[] {
  return batch.map(({ item }) => item);
}

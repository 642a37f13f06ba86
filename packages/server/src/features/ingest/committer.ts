import { setImmediate as nextTurn } from "node:timers/promises";
import { type Failure, unavailable } from "#failure";
import { isDiskFull, isFull } from "#store/disk-space.ts";
import type { FailedDay } from "#store/payloads/payload-store.ts";
import { dayOf } from "#store/profiles/profile-id.ts";
import { Turns } from "#store/turns.ts";
import { StoreFull, StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, bytesOf, seriesHours, writeDefinitions } from "./batch.ts";
import { BatchQueue } from "./batch-queue.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { DayNotWritten } from "./day-failure.ts";
import { Persistence } from "./persistence.ts";
import { serviceKey } from "./removals.ts";
import type { SnapshotFate } from "./snapshot-fate.ts";
import { splitStored } from "./split-stored.ts";
import { storedRequests } from "./stored-requests.ts";
import { takeBack } from "./take-back.ts";
import { writeSurely } from "./write-surely.ts";

export type Committed = "stored" | "duplicate";

interface Pending {
  readonly item: BatchItem;
  readonly settle: (outcome: Committed | Error) => void;
}

interface Parted {
  readonly stored: readonly Pending[];
  readonly missing: readonly Pending[];
  /** Their bytes could not be written, because of their day or of what they build on; nothing of them is stored. */
  readonly failed: readonly Refused[];
  /** Of some that are missing the bytes were there: they were on their way before. */
  readonly isDoubtful: boolean;
}

interface Refused {
  readonly pending: Pending;
  readonly error: Error;
}

/** What is known of a batch before it is written. */
interface Past extends Pick<Parted, "isDoubtful"> {
  /** Ends of the engine before the first attempt. */
  readonly restarts: number;
}

/** Worth a line in the log: senders are near to giving up. */
const slowMs = 5000;
/** Each answer is work of the main thread: those of a whole batch would keep it from everything else for tens of milliseconds. */
const answersPerTurn = 4;

/**
 * Group commit: what arrives within 25 ms goes to the store in one batch, one batch at a time; under load within up to
 * 150 ms, or 16 MB of it.
 * While the store is away the batch waits and is written again under the same tokens.
 */
export class Committer {
  readonly #parts: CommitterParts;
  readonly #persistence: Persistence;
  readonly #pending = new BatchQueue<Pending>();
  /** The fates of what is pending, by profile: the store would take the same one twice in a batch. */
  readonly #waiting = new Map<string, Promise<Committed>>();
  #running: Promise<void> | undefined;
  #limit: NodeJS.Timeout | undefined;
  #epoch = 0;
  /** Why the epoch went up last. */
  #lossReason: Error = orphaned();
  /** Resolved when all that are written have been told. */
  #told: Promise<unknown> = Promise.resolve();
  readonly #turns = new Turns();

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
    if (item.epoch !== this.#epoch) return Promise.reject(this.#lossReason);
    const twin = this.#waiting.get(keyOf(item));
    if (twin !== undefined) return twin.then(() => "duplicate");
    const { promise, resolve, reject } = Promise.withResolvers<Committed>();
    this.#waiting.set(keyOf(item), promise);
    const settle = (outcome: Committed | Error) =>
      outcome instanceof Error ? reject(outcome) : resolve(outcome);
    this.#pending.push(item.orgId, bytesOf(item), { item, settle });
    this.#running ??= this.#run();
    return promise;
  }

  /** Of an upload that will not be handed in: those made after it may refer to the stacks that it brought. */
  async abandon(item: BatchItem): Promise<void> {
    if (item.epoch !== this.#epoch) return;
    const areKept = await this.#turns.run(() => this.#keepDefinitions(item));
    if (!areKept) this.#loseWhatBuildsOnIt();
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
    await this.#told;
    clearTimeout(this.#limit);
    this.#persistence.stop();
  }

  async #run(): Promise<void> {
    while (this.#pending.size > 0) {
      await this.#pending.gathered();
      const batch = this.#take();
      if (batch.length > 0) await this.#turns.run(() => this.#store(batch));
    }
    // In the same tick as the look at what is pending: nothing handed in can fall between.
    this.#running = undefined;
  }

  #take(): Pending[] {
    const batch = this.#pending.take();
    for (const { item } of batch) this.#waiting.delete(keyOf(item));
    return batch;
  }

  async #store(batch: readonly Pending[]): Promise<void> {
    const start = performance.now();
    try {
      await this.#refuseWithoutRoom(batch);
      const open = await this.#withoutRemoved(batch);
      if (open.length === 0) return;
      const { stored, missing, failed, isDoubtful } = await this.#split(open);
      this.#tell(stored, "duplicate");
      const { restarts } = this.#parts.store.health();
      if (missing.length > 0) await this.#writeOrHalve(missing, { isDoubtful, restarts });
      await this.#sendAway(failed);
      this.#measured(missing, performance.now() - start);
    } catch (error) {
      this.#giveUp(batch, error as Error);
    }
  }

  /** Bytes must not be written whose rows the engine will then refuse. The log of a payload file holds them a second time. */
  async #refuseWithoutRoom(batch: readonly Pending[]): Promise<void> {
    const { disk } = this.#parts;
    if (disk === undefined) return;
    const bytes = batch.reduce((sum, { item }) => sum + 2 * bytesOf(item), 0);
    if (await isFull(disk, bytes)) throw new StoreFull("The disk has no room for a batch.");
  }

  /**
   * Sends away what belongs to a service whose removal was cut off: a profile that is left of it would be taken for
   * stored or be stored twice, and what is stored now would go when the removal goes on.
   */
  async #withoutRemoved(batch: readonly Pending[]): Promise<readonly Pending[]> {
    const { removals } = this.#parts;
    const unfinished = await this.#persistence.run(() => removals.unfinished());
    if (unfinished.size === 0) return batch;
    const [closed, open] = partition(batch, ({ item }) => unfinished.has(serviceKey(item)));
    await this.#sendAway(closed.map((pending) => ({ pending, error: beingRemoved(pending.item.service) })));
    return open;
  }

  /** Refuses single items. Others may refer to the stacks and frames that they brought, so that those are stored. */
  async #sendAway(refused: readonly Refused[]): Promise<void> {
    if (refused.length === 0) return;
    const items = refused.map(({ pending }) => pending.item);
    await this.#persistence.run(() => writeDefinitions(this.#parts.store, items));
    for (const { pending, error } of refused) {
      pending.item.snapshot?.lose();
      pending.settle(error);
    }
  }

  /** Original bytes go first: where they are new, nobody has to be asked whether the profile is. */
  async #split(batch: readonly Pending[]): Promise<Parted> {
    const { store, payloads } = this.#parts;
    const profiles = batch.flatMap(({ item: { orgId, profileId, type, payload } }) =>
      payload === undefined || type === "metrics" ? [] : { orgId, profileId, type, bytes: payload },
    );
    const { known, failedDays } = await this.#persistence.run(() => payloads.put(profiles));
    const [failed, written] = withoutFailed(batch, failedDays);
    const knownIds = new Set(known.map(({ profileId }) => profileId));
    const isNew = ({ item }: Pending) => item.payload !== undefined && !knownIds.has(item.profileId);
    const asked = written.filter((pending) => !isNew(pending));
    if (asked.length === 0) return { stored: [], missing: written, failed, isDoubtful: false };
    const { stored, missing } = await this.#persistence.run(() =>
      splitStored(store, asked, ({ item }) => item),
    );
    const isDoubtful = missing.some(({ item }) => item.payload !== undefined);
    return { stored, missing: [...written.filter(isNew), ...missing], failed, isDoubtful };
  }

  /** The next batch does not wait for it. */
  #tell(batch: readonly Pending[], outcome: Committed): void {
    this.#told = Promise.all([this.#told, settleInTurns(batch, outcome)]);
  }

  #measured(batch: readonly Pending[], ms: number): void {
    this.#pending.written(ms);
    this.#parts.counters.batch(batch.length, ms / 1000);
    if (ms > slowMs) this.#parts.log.warn({ ms: Math.round(ms), profiles: batch.length }, "a slow commit");
  }

  /**
   * A store that refuses a batch may do so for one of its items, or its size: the others must not suffer. False where
   * what comes after may refer to definitions that were lost.
   */
  async #writeOrHalve(batch: readonly Pending[], past: Past): Promise<boolean> {
    try {
      const items = batch.map(({ item }) => item);
      await this.#write(items, past);
      this.#tell(batch, "stored");
      return true;
    } catch (error) {
      const isAway = error instanceof StoreUnavailable || isDiskFull(error);
      if (batch.length > 1 && !isAway) return this.#halve(batch, past);
      if (isDiskFull(error))
        await takeBack(
          batch.map(({ item }) => item),
          this.#parts,
        );
      const areKept = !isAway && (await this.#keepDefinitions(batch[0]!.item));
      this.#giveUp(batch, error as Error);
      return areKept;
    }
  }

  /** Other halves have other tokens, so what the refused attempt left behind would be stored twice: it is looked for first. */
  async #halve(batch: readonly Pending[], { restarts }: Past): Promise<boolean> {
    const { store } = this.#parts;
    const { stored, missing } = await this.#persistence.run(() =>
      splitStored(store, batch, ({ item }) => item),
    );
    // Refused by a view, rows may be there without what it makes of them.
    if (stored.length > 0) {
      const hours = seriesHours(stored.map(({ item }) => item));
      await this.#persistence.run(() => store.recount(hours));
    }
    this.#tell(stored, "stored");
    const middle = Math.ceil(missing.length / 2);
    for (const half of [missing.slice(0, middle), missing.slice(middle)]) {
      if (half.length === 0) continue;
      if (await this.#writeOrHalve(half, { isDoubtful: true, restarts })) continue;
      for (const { settle } of missing.slice(middle)) settle(orphaned());
      return false;
    }
    return true;
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
    // Nothing but a question tells whether requests came before: they have no original bytes that would be there.
    const mayBeThere = this.#epoch > 0 && items.some(({ requestTimes }) => requestTimes !== undefined);
    const isKnown = isDoubtful || stored.size > 0 || mayBeThere;
    await this.#persistence.run((attempt) => {
      const isTorn = store.health().restarts > restarts;
      return writeSurely(store, items, stored, { era, isDoubtful: isKnown || attempt > 1, isTorn });
    });
  }

  #giveUp(batch: readonly Pending[], error: Error): void {
    this.#parts.counters.gaveUp();
    this.#parts.log.error({ err: error, profiles: batch.length }, "profiles could not be stored");
    for (const { settle } of batch) settle(error);
    this.#loseWhatBuildsOnIt(isDiskFull(error) ? error : orphaned());
  }

  /** @param reason for those that wait and may build on what is lost */
  #loseWhatBuildsOnIt(reason: Error = orphaned()): void {
    this.#epoch++;
    this.#lossReason = reason;
    for (const { settle } of this.#pending.drain()) settle(reason);
    this.#waiting.clear();
  }
}

async function settleInTurns(batch: readonly Pending[], outcome: Committed): Promise<void> {
  for (const [place, { settle }] of batch.entries()) {
    if (place > 0 && place % answersPerTurn === 0) await nextTurn();
    settle(outcome);
  }
}

/** Parts a batch into what cannot be stored, because of its day or a snapshot that is lost, and the rest. */
function withoutFailed(
  batch: readonly Pending[],
  failedDays: readonly FailedDay[],
): [failed: Refused[], written: readonly Pending[]] {
  const failures = new Map(failedDays.map((failedDay) => [failedDay.day, failedDay]));
  const lost = new Set<SnapshotFate>();
  const failed: Refused[] = [];
  const written: Pending[] = [];
  for (const pending of batch) {
    const { item } = pending;
    const failedDay = item.payload === undefined ? undefined : failures.get(dayOf(item.profileId) ?? "");
    if (failedDay !== undefined) {
      failed.push({ pending, error: new DayNotWritten(failedDay, item) });
      if (item.snapshot !== undefined) lost.add(item.snapshot);
    } else if (item.snapshot?.isLost || item.snapshot?.dependsOn(lost)) {
      failed.push({ pending, error: orphaned() });
    } else written.push(pending);
  }
  return [failed, written];
}

function keyOf({ orgId, profileId }: BatchItem): string {
  return `${orgId}/${profileId}`;
}

function beingRemoved(service: string): Failure {
  return unavailable(`The service ${service} is being deleted. Send it again in a moment.`, undefined, 5);
}

function orphaned(): StoreUnavailable {
  return new StoreUnavailable("A batch this upload builds on could not be stored.");
}

function partition<T>(all: readonly T[], isFirst: (each: T) => boolean): [first: T[], second: T[]] {
  return [all.filter(isFirst), all.filter((each) => !isFirst(each))];
}

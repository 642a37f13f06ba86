import { randomUUID } from "node:crypto";
import type { ColumnStore } from "#store/column/column-store.ts";
import { isDiskFull } from "#store/disk-space.ts";
import { StoreUnavailable } from "#store/unavailable.ts";
import { type BatchItem, hasProfile, seriesHours, writeBatch } from "./batch.ts";
import { baseRejection, halvesOf, itemsOf, payloadsOf } from "./batch-steps.ts";
import type { CommitterParts } from "./committer-parts.ts";
import { definitionsOf, type PendingItem, resolveInTurns } from "./pending-item.ts";
import type { DefinitionLosses } from "./rejections.ts";
import type { Entry } from "./row-queue.ts";
import type { StoreRetry } from "./store-retry.ts";
import { type StoredRequests, splitStored, storedRequests, withoutStored } from "./stored-items.ts";

export interface BatchHooks {
  readonly retry: StoreRetry;
  readonly losses: DefinitionLosses;
  /** The rows of these items have to be made again. */
  readonly postpone: (batch: readonly PendingItem[]) => void;
}

/** State of a batch before it is written. */
interface BatchHistory {
  readonly isDoubtful: boolean;
  /** Restarts of the engine before the first attempt. */
  readonly restarts: number;
}

/** Writes a batch to the column store, whatever that takes: attempts that fail, halves, and items that are given up. */
export class BatchWriter {
  readonly #parts: CommitterParts;
  readonly #retry: StoreRetry;
  readonly #losses: DefinitionLosses;
  readonly #postpone: BatchHooks["postpone"];
  /** Whether items were given up: parts of them may be stored. */
  #hasGivenUp = false;
  /** When the present attempt to write began; infinity if there is none. */
  #attemptSinceMs = Number.POSITIVE_INFINITY;

  constructor(parts: CommitterParts, { retry, losses, postpone }: BatchHooks) {
    this.#parts = parts;
    this.#retry = retry;
    this.#losses = losses;
    this.#postpone = postpone;
  }

  get attemptSinceMs(): number {
    return this.#attemptSinceMs;
  }

  /** Whether its definitions, or the snapshot that it was compared with, are not stored, or another member may own it now. */
  isDependent(item: BatchItem): boolean {
    return this.#losses.areAffecting(item) || baseRejection(item) !== undefined || this.#isOfOldTerm(item);
  }

  #isOfOldTerm({ term }: BatchItem): boolean {
    return term !== undefined && this.#parts.isCurrent?.(term) === false;
  }

  /** An attempt to write may come long after the first one. */
  #requireTerm(items: readonly BatchItem[]): void {
    if (items.some((item) => this.#isOfOldTerm(item))) throw new TermEnded();
  }

  /**
   * Resolves with true once the rows are stored, or given up; with false only where the server stops.
   *
   * @param pause between two attempts
   */
  async write(batch: readonly Entry[], pause: () => Promise<void>): Promise<boolean> {
    const { restarts } = this.#parts.store.health();
    const parts: (readonly PendingItem[])[] = [batch.map(({ pending }) => pending)];
    let isDoubtful = batch.some((entry) => entry.isDoubtful);
    for (; parts.length > 0; isDoubtful = true) {
      const part = this.#withoutDependents(parts[0]!);
      parts[0] = part;
      try {
        parts.splice(0, 1, ...(await this.#writePart(part, { isDoubtful, restarts })));
      } catch (error) {
        this.#retry.noteFailure(error);
        const left = parts.flat();
        if (this.#retry.isStopped) {
          for (const pending of left) pending.reject(error as Error);
          return false;
        }
        this.#parts.log.error(
          { err: error, profiles: left.length },
          "rows cannot be stored and will be tried again",
        );
        await pause();
      }
    }
    this.#retry.noteAnswer();
    return true;
  }

  /**
   * A store may refuse a batch because of one item or its size: then it is written by halves, so that the others are stored.
   * Throws where the store is away or full.
   *
   * @returns the parts that are left
   */
  async #writePart(part: readonly PendingItem[], history: BatchHistory): Promise<(readonly PendingItem[])[]> {
    if (part.length === 0) return [];
    try {
      await this.#write(itemsOf(part), history);
      await resolveInTurns(part, "stored");
      return [];
    } catch (error) {
      // They are dependent now.
      if (error instanceof TermEnded) return [part];
      if (error instanceof StoreUnavailable || isDiskFull(error)) throw error;
      return part.length > 1 ? this.#halve(part) : this.#giveUpItem(part[0]!, error as Error);
    }
  }

  /** Postpones items that depend on definitions, or on a snapshot, that are not stored. */
  #withoutDependents(part: readonly PendingItem[]): readonly PendingItem[] {
    const isDependent = ({ item }: PendingItem) => this.isDependent(item);
    this.#postpone(part.filter(isDependent));
    return part.filter((pending) => !isDependent(pending));
  }

  /** Halves have other tokens than the batch, so that rows of the refused attempt are looked up first. */
  async #halve(batch: readonly PendingItem[]): Promise<(readonly PendingItem[])[]> {
    const { store } = this.#parts;
    const profiles = batch.filter(({ item }) => hasProfile(item));
    const { stored, hours } = await this.#retry.run(() =>
      splitStored(store.direct, profiles, ({ item }) => item),
    );
    // If a view refused the batch, its roll-ups lack the stored rows.
    store.maintenance.markDoubtful(hours);
    await resolveInTurns(stored, "stored");
    const storedItems = new Set(stored);
    return halvesOf(batch.filter((pending) => !storedItems.has(pending)));
  }

  /** Throws if the store refuses them, or stays away until the server stops. */
  async #write(items: readonly BatchItem[], { isDoubtful, restarts }: BatchHistory): Promise<void> {
    const { store, payloads, removalWatch } = this.#parts;
    const kept = payloadsOf(items.filter(({ type }) => type !== "metrics"));
    const run = <T>(attempt: (number: number) => Promise<T>) =>
      this.#retry.run(async (number) => {
        this.#requireTerm(items);
        this.#attemptSinceMs = performance.now();
        return attempt(number).finally(() => {
          this.#attemptSinceMs = Number.POSITIVE_INFINITY;
        });
      });
    await run(async () => payloads.keep?.(kept));
    const dedupNamespace = await this.#retry.run(() => removalWatch.dedupNamespace(), "row");
    // Looked up once and not with each attempt: under the same token the same rows complete their roll-ups.
    const stored = await run(() => storedRequests(store.direct, items));
    // Only a query shows whether HTTP requests are stored.
    const areMaybeStored = this.#hasGivenUp && items.some(({ requestTimes }) => requestTimes !== undefined);
    await run((attempt) =>
      writeAndVerify(store, items, stored, {
        dedupNamespace,
        isDoubtful: isDoubtful || areMaybeStored || stored.size > 0 || attempt > 1,
        engineRestarted: store.health().restarts > restarts,
        beforeTry: () => this.#requireTerm(items),
      }),
    );
  }

  /** Gives up an item that the store refuses alone. If its definitions are stored, no other item depends on it. */
  #giveUpItem(pending: PendingItem, error: Error): (readonly PendingItem[])[] {
    const { orgId, profileId } = pending.item;
    if (!hasProfile(pending.item)) {
      this.#parts.log.warn({ err: error }, "the stacks of an upload could not be stored");
      this.#losses.add(orgId);
      return [];
    }
    this.#hasGivenUp = true;
    this.#parts.counters.gaveUp();
    this.#parts.log.error(
      { err: error, orgId, profileId },
      "the column store refuses an acknowledged upload",
    );
    pending.reject(error);
    const definitions = definitionsOf(pending.item);
    return definitions === undefined ? [] : [[definitions]];
  }
}

/** Another member may own the services of the batch. */
class TermEnded extends Error {}

interface WriteOptions {
  readonly dedupNamespace: string;
  /** The same batch may have been written before, wholly or partly. */
  readonly isDoubtful: boolean;
  /**
   * The engine ended since the batch was written first. It notes the tokens of roll-ups before their rows as well, so rows
   * may be stored that no roll-up counts.
   */
  readonly engineRestarted: boolean;
  /** Throws once another member may own the services. A batch is several inserts, and each may take long. */
  readonly beforeTry: () => void;
}

/**
 * Writes a batch except for the HTTP requests in `stored`. If the engine may know the batch's tokens already, it then checks
 * that the rows are stored: the engine notes a token before its rows, so that after a kill in between it drops the repeated
 * rows as duplicates.
 *
 * Counting the hours of such a batch again can take many seconds. It is left to `recountDoubtful`, because the profiles
 * are stored and their senders wait for the answer.
 */
async function writeAndVerify(
  store: ColumnStore,
  items: readonly BatchItem[],
  stored: StoredRequests,
  { dedupNamespace, isDoubtful, engineRestarted, beforeTry }: WriteOptions,
): Promise<void> {
  await writeBatch(store, withoutStored(items, stored), { dedupNamespace, beforeTry });
  if (!isDoubtful) return;
  const { missing } = await splitStored(store.direct, items.filter(hasProfile), (item) => item);
  if (missing.length > 0) {
    // Removes stored HTTP requests whose profile is missing, so that none of them is stored twice.
    const withRequests = missing.filter(({ requestTimes }) => requestTimes !== undefined);
    if (withRequests.length > 0) await store.maintenance.recount(seriesHours(withRequests));
    const left = await storedRequests(store.direct, missing);
    await writeBatch(store, withoutStored(missing, left), { dedupNamespace: randomUUID(), beforeTry });
  }
  if (missing.length > 0 || stored.size > 0 || engineRestarted)
    store.maintenance.markDoubtful(seriesHours(items));
}

import { randomUUID } from "node:crypto";
import type { ColumnStore } from "#store/column/column-store.ts";
import { type BatchItem, hasProfile, seriesHours, writeBatch } from "./batch.ts";
import type { CommitterParts } from "./committer-parts.ts";
import type { StoreRetry } from "./store-retry.ts";
import { type StoredRequests, splitStored, storedRequests, withoutStored } from "./stored-items.ts";

interface WriteOptions {
  readonly dedupNamespace: string;
  /** The same batch may have been written before, wholly or partly. */
  readonly isDoubtful: boolean;
  /**
   * The engine ended since the batch was written first. It notes the tokens of roll-ups before their rows as well, so rows
   * may be stored that no roll-up counts.
   */
  readonly engineRestarted: boolean;
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
  { dedupNamespace, isDoubtful, engineRestarted }: WriteOptions,
): Promise<void> {
  await writeBatch(store, withoutStored(items, stored), dedupNamespace);
  if (!isDoubtful) return;
  const { missing } = await splitStored(store.direct, items.filter(hasProfile), (item) => item);
  if (missing.length > 0) {
    // Removes stored HTTP requests whose profile is missing, so that none of them is stored twice.
    const withRequests = missing.filter(({ requestTimes }) => requestTimes !== undefined);
    if (withRequests.length > 0) await store.maintenance.recount(seriesHours(withRequests));
    const left = await storedRequests(store.direct, missing);
    await writeBatch(store, withoutStored(missing, left), randomUUID());
  }
  if (missing.length > 0 || stored.size > 0 || engineRestarted)
    store.maintenance.markDoubtful(seriesHours(items));
}

/** State of a batch before it is written. */
export interface BatchHistory {
  readonly isDoubtful: boolean;
  /** Restarts of the engine before the first attempt. */
  readonly restarts: number;
}

/** Writes a batch until it is stored. Throws if the store refuses it, or stays away until the server stops. */
export async function writeUntilStored(
  { store, removalWatch }: Pick<CommitterParts, "store" | "removalWatch">,
  retry: StoreRetry,
  items: readonly BatchItem[],
  { isDoubtful, restarts }: BatchHistory,
): Promise<void> {
  const dedupNamespace = await retry.run(() => removalWatch.dedupNamespace());
  // Looked up once and not with each attempt: under the same token the same rows complete their roll-ups.
  const stored = await retry.run(() => storedRequests(store.direct, items));
  await retry.run((attempt) =>
    writeAndVerify(store, items, stored, {
      dedupNamespace,
      isDoubtful: isDoubtful || stored.size > 0 || attempt > 1,
      engineRestarted: store.health().restarts > restarts,
    }),
  );
}

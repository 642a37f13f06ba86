import { randomUUID } from "node:crypto";
import type { ColumnStore } from "#store/column/column-store.ts";
import { type BatchItem, seriesHours, type WriteOptions, writeBatch } from "./batch.ts";
import { splitStored } from "./split-stored.ts";
import { type StoredRequests, storedRequests, withoutStored } from "./stored-requests.ts";

export interface VerifiedWriteOptions extends WriteOptions {
  /**
   * The engine ended since the batch was written first: rows may be there without what views make of them, of which the
   * engine notes the tokens beforehand as well.
   */
  readonly engineRestarted: boolean;
}

/**
 * Writes a batch but for the HTTP requests in `stored`, and where its tokens may be known from before looks whether it
 * is there. The engine notes a token before the rows that it stands for: killed in between, it takes their repetition
 * for one and stores nothing.
 */
export async function writeAndVerify(
  store: ColumnStore,
  items: readonly BatchItem[],
  stored: StoredRequests,
  { engineRestarted, ...options }: VerifiedWriteOptions,
): Promise<void> {
  const recount = () => store.recount(seriesHours(items));
  await writeBatch(store, withoutStored(items, stored), options);
  if (!options.isDoubtful) return;
  const { missing } = await splitStored(store, items, (item) => item);
  if (missing.length > 0) {
    // First, so that HTTP requests without their profile go.
    await recount();
    const left = await storedRequests(store, missing);
    await writeBatch(store, withoutStored(missing, left), { ...options, era: randomUUID() });
  }
  // So that nothing is counted twice, or not at all where an insert ended before its roll-ups.
  if (missing.length > 0 || stored.size > 0 || engineRestarted) await recount();
}

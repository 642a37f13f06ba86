import { randomUUID } from "node:crypto";
import type { ColumnStore } from "#store/column/column-store.ts";
import { type BatchItem, type Manner, writeBatch } from "./batch.ts";
import { splitStored } from "./split-stored.ts";
import { type StoredRequests, storedRequests, withoutStored } from "./stored-requests.ts";

/**
 * Writes a batch but for the HTTP requests in `stored`, and where its tokens may be known from before looks whether it
 * is there. The engine notes a token before the rows that it stands for: killed in between, it takes their repetition
 * for one and stores nothing.
 */
export async function writeSurely(
  store: ColumnStore,
  items: readonly BatchItem[],
  stored: StoredRequests,
  manner: Manner,
): Promise<void> {
  await writeBatch(store, withoutStored(items, stored), manner);
  if (!manner.isDoubtful) return;
  const { missing } = await splitStored(store, items, (item) => item);
  if (missing.length > 0) {
    // First, so that HTTP requests without their profile go.
    await store.recount();
    const left = await storedRequests(store, missing);
    await writeBatch(store, withoutStored(missing, left), { ...manner, era: randomUUID() });
  }
  // So that nothing is counted twice, or not at all where the insert of requests ended before their roll-ups.
  if (missing.length > 0 || stored.size > 0) await store.recount();
}

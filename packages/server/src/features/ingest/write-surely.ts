import { randomUUID } from "node:crypto";
import type { ColumnStore } from "#store/column/column-store.ts";
import { type BatchItem, type Manner, writeBatch } from "./batch.ts";
import { splitStored } from "./split-stored.ts";

/**
 * Writes a batch, and where its tokens may be known from before looks whether it is there. The engine notes a token
 * before the rows that it stands for: killed in between, it takes their repetition for one and stores nothing.
 */
export async function writeSurely(
  store: ColumnStore,
  items: readonly BatchItem[],
  manner: Manner,
): Promise<void> {
  await writeBatch(store, items, manner);
  if (!manner.isDoubtful) return;
  const { missing } = await splitStored(store, items, (item) => item);
  if (missing.length === 0) return;
  // First, so that HTTP requests without their profile go; then, so that nothing is counted twice.
  await store.recount();
  await writeBatch(store, missing, { ...manner, era: randomUUID() });
  await store.recount();
}

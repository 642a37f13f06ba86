import { FairQueue } from "#store/fair-queue.ts";

/** Items that arrive while a batch is written form the next one, up to this size. */
const batchBytesMax = 32 * 1024 * 1024;
/** While small organizations send next to one that fills the batches, a batch should take about this long. */
const sharedBatchMs = 100;
const sharedBatchBytesMin = 1024 * 1024;
/** A small organization counts as sending for this long after an upload. */
const smallSendingMs = 5000;
/** An organization counts as small if it sends at most this part of the largest one in a batch. */
const smallPart = 1 / 8;
/** Organizations count as small only if the largest one fills at least this part of a batch. */
const fillingPart = 1 / 4;

interface Waiting<T> {
  readonly orgId: string;
  readonly bytes: number;
  readonly item: T;
}

/**
 * Items that wait to be stored: which of them the next batch takes.
 *
 * An upload that arrives while a batch is written waits for it and for the next one. So batches stay short while small
 * organizations send, although larger ones would cost less for each profile.
 */
export class BatchQueue<T> {
  /** Takes turns over organizations by bytes: decides which items a batch takes and which are answered first. */
  readonly #waiting = new FairQueue<Waiting<T>>();
  /** Bytes of each organization in the batch that was taken last. */
  #lastBytes: ReadonlyMap<string, number> = new Map();
  /** An organization with at most this much in that batch is small; negative if none is. */
  #smallBytesMax = -1;
  /** When a small organization handed in an item last. */
  #smallSentMs = Number.NEGATIVE_INFINITY;
  /** About as much as is written in `sharedBatchMs`, judged by the batch before. */
  #sharedBatchBytes = batchBytesMax;

  get size(): number {
    return this.#waiting.size;
  }

  push(orgId: string, bytes: number, item: T): void {
    this.#waiting.push(orgId, bytes, { orgId, bytes, item });
    if (this.#isSmall(orgId)) this.#smallSentMs = performance.now();
  }

  /** The next batch in the order of answers; larger than `bytesMax` only if it has a single item. */
  take(bytesMax = Number.POSITIVE_INFINITY): T[] {
    const isShared = performance.now() - this.#smallSentMs < smallSendingMs;
    const taken = this.#waiting.takeUpTo(isShared ? this.#sharedBatchBytes : batchBytesMax, bytesMax);
    const bytes = new Map<string, number>();
    for (const each of taken) bytes.set(each.orgId, (bytes.get(each.orgId) ?? 0) + each.bytes);
    this.#lastBytes = bytes;
    const all = [...bytes.values()];
    const largest = Math.max(0, ...all);
    const isFilledByOne = largest >= fillingPart * all.reduce((sum, orgBytes) => sum + orgBytes, 0);
    this.#smallBytesMax = isFilledByOne ? smallPart * largest : -1;
    return taken.map(({ item }) => item);
  }

  /** To be called after a batch was written in `ms`. */
  noteWritten(ms: number): void {
    let bytes = 0;
    for (const orgBytes of this.#lastBytes.values()) bytes += orgBytes;
    const fitting = (bytes * sharedBatchMs) / Math.max(1, ms);
    this.#sharedBatchBytes = Math.min(batchBytesMax, Math.max(sharedBatchBytesMin, fitting));
  }

  #isSmall(orgId: string): boolean {
    return (this.#lastBytes.get(orgId) ?? 0) <= this.#smallBytesMax;
  }
}

import { FairQueue } from "#ingest/admission/fair-queue.ts";

/** A batch waits at least this long for more items. */
const gatherMsMin = 25;
/** After a batch, the next one waits this share of the time that it took, but not longer than `gatherMsMax`: see `gathered`. */
const restShare = 0.5;
const gatherMsMax = 75;
/** Or until it has this much. */
const gatherBytesMax = 16 * 1024 * 1024;
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
 * Items that wait to be stored: when the next batch is due, and which of them it takes.
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
  #isSmallWaiting = false;
  /** When a small organization handed in an item last. */
  #smallSentMs = Number.NEGATIVE_INFINITY;
  /** About as much as is written in `sharedBatchMs`, judged by the batch before. */
  #sharedBatchBytes = batchBytesMax;
  #restUntilMs = 0;
  #gathering: { readonly end: () => void; readonly endWithin: (ms: number) => void } | undefined;

  get size(): number {
    return this.#waiting.size;
  }

  push(orgId: string, bytes: number, item: T): void {
    this.#waiting.push(orgId, bytes, { orgId, bytes, item });
    if (this.#waiting.cost >= gatherBytesMax) this.#gathering?.end();
    if (!this.#isSmall(orgId)) return;
    this.#smallSentMs = performance.now();
    if (this.#isSmallWaiting) return;
    this.#isSmallWaiting = true;
    this.#gathering?.endWithin(gatherMsMin);
  }

  /**
   * Resolves when the next batch is due. An insert costs the engine as much as a hundred profiles in it, however few it
   * has. So after a batch the engine rests half as long as the batch took: the more there is to do, the fewer and larger
   * the inserts. A small organization does not wait for the sake of one that fills the batches.
   */
  gathered(): Promise<void> {
    if (this.#waiting.cost >= gatherBytesMax) return Promise.resolve();
    const restMs = this.#isSmallWaiting ? 0 : this.#restUntilMs - performance.now();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        this.#gathering = undefined;
        resolve();
      };
      let endsAtMs = performance.now() + Math.max(gatherMsMin, restMs);
      let timer = setTimeout(end, endsAtMs - performance.now());
      const endWithin = (ms: number) => {
        clearTimeout(timer);
        endsAtMs = Math.min(endsAtMs, performance.now() + ms);
        timer = setTimeout(end, endsAtMs - performance.now());
      };
      this.#gathering = { end, endWithin };
    });
  }

  /** Ends the wait for more items. */
  hurry(): void {
    this.#gathering?.end();
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
    this.#isSmallWaiting = false;
    return taken.map(({ item }) => item);
  }

  /** To be called after a batch was written in `ms`. */
  noteWritten(ms: number): void {
    let bytes = 0;
    for (const orgBytes of this.#lastBytes.values()) bytes += orgBytes;
    const fitting = (bytes * sharedBatchMs) / Math.max(1, ms);
    this.#sharedBatchBytes = Math.min(batchBytesMax, Math.max(sharedBatchBytesMin, fitting));
    this.#restUntilMs = performance.now() + Math.min(restShare * ms, gatherMsMax);
  }

  /** Takes everything of one organization. */
  drain(orgId: string): T[] {
    return this.#waiting.drain(orgId).map(({ item }) => item);
  }

  #isSmall(orgId: string): boolean {
    return (this.#lastBytes.get(orgId) ?? 0) <= this.#smallBytesMax;
  }
}

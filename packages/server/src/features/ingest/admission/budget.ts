import type { Refusal } from "#ingest/upload/refusal.ts";

/** Memory of an upload in addition to its body: its place in queues, its row. */
export const overheadBytes = 8 * 1024;

/** Bytes of a budget until they are released. */
export class Reservation {
  readonly #startedMs = performance.now();
  readonly #budget: ByteBudget;
  readonly #orgId: string;
  #bytes: number;
  #releases: (() => void)[] = [];

  constructor(budget: ByteBudget, orgId: string, bytes: number) {
    this.#budget = budget;
    this.#orgId = orgId;
    this.#bytes = bytes;
  }

  ageSeconds(nowMs = performance.now()): number {
    return (nowMs - this.#startedMs) / 1000;
  }

  /** Takes more; false leaves everything as it was. */
  grow(bytes: number): boolean {
    if (!this.#budget.take(this.#orgId, bytes, this.#bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Reserves at least `bytes` even if the budget has no more, because they are in memory already. */
  coverAtLeast(bytes: number): void {
    const more = Math.max(0, bytes - this.#bytes);
    this.#budget.addUsed(this.#orgId, more);
    this.#bytes += more;
  }

  /** A further reservation of the organization, even if the budget has no more, because its bytes are in memory already. */
  another(bytes: number): Reservation {
    return this.#budget.hold(this.#orgId, bytes);
  }

  /** Adds a release of another resource of the same upload. */
  onRelease(release: () => void): void {
    this.#releases.push(release);
  }

  /** Releases everything; a second call does nothing. */
  release(): void {
    for (const release of this.#releases.splice(0)) release();
    this.#budget.end(this, this.#orgId, this.#bytes);
    this.#bytes = 0;
  }
}

/**
 * An organization may use this many times the free bytes: four fifths of all if it is alone, less if several use much, and never
 * all. A dynamic threshold as in the shared buffers of switches (Choudhury and Hahne, 1998): organizations that use little are
 * admitted. Only in an empty queue may one upload take everything.
 */
const timesFree = 4;

/** Limits the bytes of uploads between their first byte and their commit; further senders have to retry later. */
export class ByteBudget {
  readonly bytesMax: number;
  readonly #usedBy = new Map<string, number>();
  /** In the order of their beginning. */
  readonly #held = new Set<Reservation>();
  #used = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.#used;
  }

  reserve(orgId: string, bytes: number): Reservation | undefined {
    if (!this.take(orgId, bytes)) return undefined;
    return this.#holding(orgId, bytes);
  }

  /** As `reserve`, for bytes that are in memory already. */
  hold(orgId: string, bytes: number): Reservation {
    this.addUsed(orgId, bytes);
    return this.#holding(orgId, bytes);
  }

  #holding(orgId: string, bytes: number): Reservation {
    const reservation = new Reservation(this, orgId, bytes);
    this.#held.add(reservation);
    return reservation;
  }

  /** The age of the oldest upload; 0 without any. */
  get oldestSeconds(): number {
    for (const oldest of this.#held) return oldest.ageSeconds();
    return 0;
  }

  end(reservation: Reservation, orgId: string, bytes: number): void {
    this.#held.delete(reservation);
    this.addUsed(orgId, -bytes);
  }

  /** @param reservedBytes of the reservation that grows: if it is alone in the queue, it may take all of it */
  take(orgId: string, bytes: number, reservedBytes = 0): boolean {
    const left = this.bytesMax - this.#used - bytes;
    const orgBytes = (this.#usedBy.get(orgId) ?? 0) + bytes;
    if (left < 0 || (orgBytes > timesFree * left && this.#used > reservedBytes)) return false;
    this.addUsed(orgId, bytes);
    return true;
  }

  /** @param bytes below 0 if they are released */
  addUsed(orgId: string, bytes: number): void {
    this.#used += bytes;
    const orgBytes = (this.#usedBy.get(orgId) ?? 0) + bytes;
    if (orgBytes === 0) this.#usedBy.delete(orgId);
    else this.#usedBy.set(orgId, orgBytes);
  }
}

export function queueFull(): Refusal {
  return {
    code: "rate_limited",
    reason: "queue_bytes",
    message:
      "The ingestion queue is full. Retry after the seconds in Retry-After; if this lasts, raise INGEST_QUEUE_BYTES.",
  };
}

export const logFull: Refusal = {
  code: "rate_limited",
  reason: "waiting_uploads",
  message:
    "The column store is unavailable, and the limit of waiting uploads is reached. Retry after the seconds in Retry-After; the operator can raise INGEST_WAITING_UPLOADS.",
};

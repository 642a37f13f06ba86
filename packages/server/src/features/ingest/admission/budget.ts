/** What an upload weighs beside its body: its place in queues, its row. */
export const overheadBytes = 8 * 1024;

/** Bytes taken from a budget until they are given back. */
export class Reservation {
  readonly #budget: ByteBudget;
  readonly #orgId: string;
  #bytes: number;
  #released: (() => void) | undefined;

  constructor(budget: ByteBudget, orgId: string, bytes: number) {
    this.#budget = budget;
    this.#orgId = orgId;
    this.#bytes = bytes;
  }

  /** Takes more; false leaves everything as it was. */
  grow(bytes: number): boolean {
    if (!this.#budget.take(this.#orgId, bytes, this.#bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Takes what is needed to hold `bytes` even where the budget has no more: it is in memory already. */
  coverAtLeast(bytes: number): void {
    const more = Math.max(0, bytes - this.#bytes);
    this.#budget.giveBack(this.#orgId, -more);
    this.#bytes += more;
  }

  /** Also gives back what was taken elsewhere for the same upload. */
  onRelease(release: () => void): void {
    this.#released = release;
  }

  /** Gives everything back; a second call does nothing. */
  release(): void {
    this.#released?.();
    this.#released = undefined;
    this.#budget.giveBack(this.#orgId, this.#bytes);
    this.#bytes = 0;
  }
}

/**
 * An organization may hold this many times what it leaves free: four fifths of all where it is alone, less the more
 * there are that hold much, and never the last of it. A dynamic threshold as in the shared buffers of switches
 * (Choudhury and Hahne, 1998): whoever holds little gets in. Only in an empty queue may one upload take all.
 */
const timesFree = 4;

/** Bounds the bytes of uploads between their first byte and their commit: beyond it senders come back later. */
export class ByteBudget {
  readonly bytesMax: number;
  readonly #usedBy = new Map<string, number>();
  #used = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.#used;
  }

  reserve(orgId: string, bytes: number): Reservation | undefined {
    return this.take(orgId, bytes) ? new Reservation(this, orgId, bytes) : undefined;
  }

  /** @param own of the reservation that grows: alone in the queue, it may grow to all of it */
  take(orgId: string, bytes: number, own = 0): boolean {
    const left = this.bytesMax - this.#used - bytes;
    const held = (this.#usedBy.get(orgId) ?? 0) + bytes;
    if (left < 0 || (held > timesFree * left && this.#used > own)) return false;
    this.giveBack(orgId, -bytes);
    return true;
  }

  giveBack(orgId: string, bytes: number): void {
    this.#used -= bytes;
    const held = (this.#usedBy.get(orgId) ?? 0) - bytes;
    if (held === 0) this.#usedBy.delete(orgId);
    else this.#usedBy.set(orgId, held);
  }
}

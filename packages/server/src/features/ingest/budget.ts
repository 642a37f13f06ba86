/** Bytes taken from a budget until they are given back. */
export class Reservation {
  readonly #budget: ByteBudget;
  #bytes: number;

  constructor(budget: ByteBudget, bytes: number) {
    this.#budget = budget;
    this.#bytes = bytes;
  }

  /** Takes more; false leaves everything as it was. */
  grow(bytes: number): boolean {
    if (!this.#budget.take(bytes)) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Takes what is needed to hold `bytes` even where the budget has no more: it is in memory already. */
  coverAtLeast(bytes: number): void {
    const more = Math.max(0, bytes - this.#bytes);
    this.#budget.giveBack(-more);
    this.#bytes += more;
  }

  /** Gives everything back; a second call does nothing. */
  release(): void {
    this.#budget.giveBack(this.#bytes);
    this.#bytes = 0;
  }
}

/** Bounds the bytes of uploads between their first byte and their commit: beyond it senders come back later. */
export class ByteBudget {
  readonly bytesMax: number;
  #used = 0;

  constructor(bytesMax: number) {
    this.bytesMax = bytesMax;
  }

  get usedBytes(): number {
    return this.#used;
  }

  reserve(bytes: number): Reservation | undefined {
    return this.take(bytes) ? new Reservation(this, bytes) : undefined;
  }

  take(bytes: number): boolean {
    if (this.#used + bytes > this.bytesMax) return false;
    this.#used += bytes;
    return true;
  }

  giveBack(bytes: number): void {
    this.#used -= bytes;
  }
}

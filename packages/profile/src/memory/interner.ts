import { GrowableUint32 } from "./growable.ts";

/** Slots probed before a collision attack is assumed. */
const probesMax = 48;

/**
 * Gives equal runs of 32-bit words the same number, counted from 0. The words stay in the caller's array.
 *
 * An open hash table of fixed size. The hash is not secret, so a sender could make many runs collide; runs that
 * find no slot near theirs go to a Map by text, whose hash the runtime keeps secret.
 */
export class Interner {
  length = 0;
  /** May be replaced by a larger copy. */
  words: Uint32Array;
  /** Two entries a slot: run + 1 (0 where the slot is free) and its hash. */
  private readonly slots: Uint32Array;
  private readonly mask: number;
  private readonly overflow = new Map<string, number>();
  private readonly startOf: (run: number) => number;

  /**
   * `startOf(n)`: where run n begins in `words`; startOf(n + 1) is where it ends. The table uses `memory`.
   */
  constructor(
    runsMax: number,
    words: Uint32Array,
    startOf: (run: number) => number,
    memory = new GrowableUint32(0),
  ) {
    let size = 16;
    while (size < runsMax * 2) size *= 2;
    this.words = words;
    this.slots = memory.zeros(size * 2);
    this.mask = size - 1;
    this.startOf = startOf;
  }

  /** The number of words[from, to), whose hash is given; equal to the former `length` where it is new. */
  intern(hash: number, from: number, to: number): number {
    const { slots, mask } = this;
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = ((hash + probe) & mask) << 1;
      const found = slots[slot];
      if (found === 0) {
        slots[slot] = ++this.length;
        slots[slot + 1] = hash;
        return this.length - 1;
      }
      if (slots[slot + 1] === hash && this.isEqual(found - 1, from, to)) return found - 1;
    }
    return this.internByText(from, to);
  }

  private isEqual(run: number, from: number, to: number): boolean {
    const start = this.startOf(run);
    if (this.startOf(run + 1) - start !== to - from) return false;
    const words = this.words;
    for (let i = from, j = start; i < to; i++, j++) if (words[i] !== words[j]) return false;
    return true;
  }

  private internByText(from: number, to: number): number {
    const text = this.words.subarray(from, to).join();
    const found = this.overflow.get(text);
    if (found !== undefined) return found;
    this.overflow.set(text, this.length);
    return this.length++;
  }
}

/** Slots looked at before the hash is held to be attacked. */
const PROBES_MAX = 48;

/**
 * Gives equal runs of 32-bit words the same number, counted from 0. The words stay in the caller's array.
 *
 * An open hash table of fixed size. The hash is not secret, so a sender could make many runs collide; runs that
 * find no slot near theirs go to a Map by text, whose hash the runtime keeps secret.
 */
export class Interner {
  length = 0;
  /** May be exchanged for a larger copy. */
  words: Uint32Array;
  private readonly slots: Uint32Array;
  private readonly hashes: Uint32Array;
  private readonly mask: number;
  private readonly overflow = new Map<string, number>();
  private readonly startOf: (run: number) => number;

  /** `startOf(n)`: where run n begins in `words`; startOf(n + 1) is where it ends. */
  constructor(runsMax: number, words: Uint32Array, startOf: (run: number) => number) {
    let size = 16;
    while (size < runsMax * 2) size *= 2;
    this.words = words;
    this.slots = new Uint32Array(size);
    this.hashes = new Uint32Array(size);
    this.mask = size - 1;
    this.startOf = startOf;
  }

  /** The number of words[from, to), whose hash is given; equal to the former `length` where it is new. */
  intern(hash: number, from: number, to: number): number {
    for (let probe = 0; probe < PROBES_MAX; probe++) {
      const slot = (hash + probe) & this.mask;
      const found = this.slots[slot]!;
      if (found === 0) {
        this.slots[slot] = ++this.length;
        this.hashes[slot] = hash;
        return this.length - 1;
      }
      if (this.hashes[slot] === hash && this.isEqual(found - 1, from, to)) return found - 1;
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

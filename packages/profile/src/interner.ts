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
  private readonly slots: Uint32Array;
  private readonly hashes: Uint32Array;
  private readonly mask: number;
  private readonly overflow = new Map<string, number>();
  private readonly isEqual: (number: number, from: number, to: number) => boolean;

  /** `isEqual(n, from, to)`: whether run number n equals words[from, to). */
  constructor(runsMax: number, isEqual: (number: number, from: number, to: number) => boolean) {
    let size = 16;
    while (size < runsMax * 2) size *= 2;
    this.slots = new Uint32Array(size);
    this.hashes = new Uint32Array(size);
    this.mask = size - 1;
    this.isEqual = isEqual;
  }

  /** The number of words[from, to); equal to the former `length` where the run is new. */
  intern(words: Uint32Array, from: number, to: number): number {
    let hash = 0x9e3779b9 ^ (to - from);
    for (let i = from; i < to; i++) {
      hash = Math.imul(hash ^ words[i]!, 0x85ebca6b);
      hash ^= hash >>> 15;
    }
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash = (hash ^ (hash >>> 16)) >>> 0;
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
    return this.internByText(words, from, to);
  }

  private internByText(words: Uint32Array, from: number, to: number): number {
    const text = words.subarray(from, to).join();
    const found = this.overflow.get(text);
    if (found !== undefined) return found;
    this.overflow.set(text, this.length);
    return this.length++;
  }
}

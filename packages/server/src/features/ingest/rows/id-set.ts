const slotsMin = 1 << 12;

/**
 * 64-bit ids as pairs of 32-bit words, in open addressing. Bounded: when full it forgets everything.
 *
 * Not the `IdTable` of the decoding thread: that one numbers its ids, so each probe reads two arrays. Here the ids are the
 * slots, and `missing` probes inline, because it runs for every stack of every upload.
 *
 * ```
 * words[2 * slot], words[2 * slot + 1] = low and high word; both 0 where the slot is free
 * ```
 */
export class IdSet {
  readonly #sizeMax: number;
  #words = new Uint32Array(2 * slotsMin);
  #size = 0;

  constructor(sizeMax: number) {
    this.#sizeMax = sizeMax;
  }

  get size(): number {
    return this.#size;
  }

  /**
   * The indexes of those among the first `count` of `ids` that are not in the set. An id is two words, low first, combined with
   * the salt. Nearly all stacks of a profile are in the set: one loop over them takes half the time of a call for each.
   */
  missing(ids: Uint32Array, count: number, saltLow: number, saltHigh: number): number[] {
    const words = this.#words;
    const mask = words.length - 2;
    const places: number[] = [];
    for (let i = 0; i < count; i++) {
      const low = (ids[2 * i]! ^ saltLow) >>> 0;
      const high = (ids[2 * i + 1]! ^ saltHigh) >>> 0;
      let at = (low << 1) & mask;
      while (words[at] !== low || words[at + 1] !== high) {
        if (words[at] === 0 && words[at + 1] === 0) break;
        at = (at + 2) & mask;
      }
      if (words[at] === 0 && words[at + 1] === 0) places.push(i);
    }
    return places;
  }

  /** True if the id is new. The id 0 is never remembered. */
  add(low: number, high: number): boolean {
    if (low === 0 && high === 0) return true;
    if (this.#size >= this.#sizeMax) this.clear();
    if (2 * this.#size >= this.#words.length >>> 1) this.#grow();
    if (!insert(this.#words, low, high)) return false;
    this.#size++;
    return true;
  }

  clear(): void {
    this.#words = new Uint32Array(2 * slotsMin);
    this.#size = 0;
  }

  #grow(): void {
    const old = this.#words;
    this.#words = new Uint32Array(2 * old.length);
    for (let i = 0; i < old.length; i += 2) {
      if (old[i] !== 0 || old[i + 1] !== 0) insert(this.#words, old[i]!, old[i + 1]!);
    }
  }
}

/** Ids are hashes already: their low bits choose the slot. */
function insert(words: Uint32Array, low: number, high: number): boolean {
  const mask = words.length - 2;
  let at = (low << 1) & mask;
  while (words[at] !== 0 || words[at + 1] !== 0) {
    if (words[at] === low && words[at + 1] === high) return false;
    at = (at + 2) & mask;
  }
  words[at] = low;
  words[at + 1] = high;
  return true;
}

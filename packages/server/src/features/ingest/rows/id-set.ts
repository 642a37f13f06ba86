import { free } from "#memory/free.ts";

const slotsMin = 1 << 12;
/** Of these slots, the low bits of an id choose one, and the bits above them choose the window. */
const windowSlots = 16;
/** Lookups until ids begin to age, for each slot that the set may have: those that uploads cycle through, up to four times as many, stay. */
const lookupsPerSlot = 4;
/** Two words and two marks. */
export const slotBytes = 8 + 2 / 8;

/**
 * 64-bit ids as pairs of 32-bit words, in open addressing. Ids are whole: an id that was not added is never found.
 *
 * Bounded: when it cannot grow, an id takes the place of one that has aged, and is not remembered if there is none. Ids that
 * uploads cycle through push each other out of a set that replaces the one used least recently, so that none is ever found; here
 * those inside stay, and a set with half of the places finds half of them. Time is counted in periods of lookups: an id has aged if it
 * was not found in this period and the one before. A new day ages all.
 *
 * Not the `IdTable` of the decoding thread: that one numbers its ids, so each probe reads two arrays. Here the ids are the
 * slots, and `missing` probes inline, because it runs for every stack of every upload.
 *
 * ```
 * words[2 * slot], words[2 * slot + 1] = low and high word; both 0 where the slot is free
 * used[window], usedBefore[window]     = a bit for each slot of the window: found in this period, and in the one before
 * probes                               = from the id's slot around its window, up to a free slot
 * ```
 */
export class IdSet {
  readonly #slotsMax: number;
  #words = new Uint32Array(2 * slotsMin);
  #used = new Uint16Array(slotsMin / windowSlots);
  #usedBefore = new Uint16Array(slotsMin / windowSlots);
  #size = 0;
  #lookups = 0;

  /** @param slotsMax a power of two, at least 4096 */
  constructor(slotsMax: number) {
    this.#slotsMax = slotsMax;
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
    const used = this.#isLargest ? this.#usedIn(count) : undefined;
    const mask = words.length - 2;
    const places: number[] = [];
    for (let i = 0; i < count; i++) {
      const low = (ids[2 * i]! ^ saltLow) >>> 0;
      const high = (ids[2 * i + 1]! ^ saltHigh) >>> 0;
      const home = (low << 1) & mask;
      let at = home;
      while (words[at] !== low || words[at + 1] !== high) {
        if (words[at] === 0 && words[at + 1] === 0) break;
        at = next(at);
        if (at === home) break;
      }
      if (words[at] !== low || (low === 0 && high === 0) || words[at + 1] !== high) places.push(i);
      else if (used !== undefined) mark(used, at);
    }
    return places;
  }

  /** True if the id was not in the set. The id 0 is never remembered. */
  add(low: number, high: number): boolean {
    if (low === 0 && high === 0) return true;
    if (!this.#isLargest && 4 * this.#size >= this.#words.length) this.#rebuild();
    const words = this.#words;
    const home = (low << 1) & (words.length - 2);
    let place = -1;
    let at = home;
    do {
      if (words[at] === low && words[at + 1] === high) {
        mark(this.#used, at);
        return false;
      }
      const isFree = words[at] === 0 && words[at + 1] === 0;
      if (place < 0 && (isFree || this.#isAged(at))) place = at;
      if (isFree) break;
      at = next(at);
    } while (at !== home);
    if (place < 0) return true;
    if (words[place] === 0 && words[place + 1] === 0) this.#size++;
    words[place] = low;
    words[place + 1] = high;
    mark(this.#used, place);
    return true;
  }

  /** Makes room for the ids of a new day: those of the days before have aged until they are used again. */
  ageAll(): void {
    this.#age();
    this.#age();
  }

  clear(): void {
    this.#resize(slotsMin);
  }

  get #isLargest(): boolean {
    return this.#words.length >= 2 * this.#slotsMax;
  }

  /** The marks for so many lookups. A set that can still grow has no need of them, and is faster without. */
  #usedIn(lookups: number): Uint16Array {
    this.#lookups += lookups;
    if (this.#lookups > lookupsPerSlot * this.#slotsMax) this.#age();
    return this.#used;
  }

  #age(): void {
    [this.#used, this.#usedBefore] = [this.#usedBefore, this.#used];
    this.#used.fill(0);
    this.#lookups = 0;
  }

  #isAged(at: number): boolean {
    const bit = bitOf(at);
    return (this.#used[at >>> 5]! & bit) === 0 && (this.#usedBefore[at >>> 5]! & bit) === 0;
  }

  /** Leaves out what has aged, and doubles if that makes little room. Windows only split, so that all others find a place. */
  #rebuild(): void {
    const [words, used, usedBefore] = [this.#words, this.#used, this.#usedBefore];
    const slots = words.length / 2;
    let live = 0;
    for (let at = 0; at < words.length; at += 2) if (!this.#isAged(at)) live++;
    this.#resize(4 * live > slots ? 2 * slots : slots);
    for (let at = 0; at < words.length; at += 2) {
      const isUsed = (used[at >>> 5]! & bitOf(at)) !== 0;
      if (isUsed) mark(this.#used, this.#append(words[at]!, words[at + 1]!));
      else if ((usedBefore[at >>> 5]! & bitOf(at)) !== 0)
        mark(this.#usedBefore, this.#append(words[at]!, words[at + 1]!));
    }
    free(new Uint8Array(words.buffer));
  }

  /** Puts an id that is not in the set into the first free slot of its window. */
  #append(low: number, high: number): number {
    const words = this.#words;
    let at = (low << 1) & (words.length - 2);
    while (words[at] !== 0 || words[at + 1] !== 0) at = next(at);
    words[at] = low;
    words[at + 1] = high;
    this.#size++;
    return at;
  }

  #resize(slots: number): void {
    this.#words = new Uint32Array(2 * slots);
    this.#used = new Uint16Array(slots / windowSlots);
    this.#usedBefore = new Uint16Array(slots / windowSlots);
    this.#size = 0;
  }
}

/** The next word of a slot in the window. */
function next(at: number): number {
  return (at & ~31) | ((at + 2) & 31);
}

/** The bit of a slot in the marks of its window. */
function bitOf(at: number): number {
  return 1 << ((at >>> 1) & 15);
}

function mark(marks: Uint16Array, at: number): void {
  marks[at >>> 5]! |= bitOf(at);
}

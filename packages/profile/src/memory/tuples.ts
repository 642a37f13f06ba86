/** Odd, and different in each process: nobody can choose numbers that all have one hash. */
const factors = [0, 0, 0, 0].map(() => (Math.random() * 2 ** 32) | 1);
const [lowFactor, highFactor, secondFactor, thirdFactor] = factors as [number, number, number, number];
const twoToMinus32 = 2 ** -32;
const wordMax = 2 ** 32 - 1;
const tuplesFirst = 512;

/** Numbers tuples of one to three whole numbers in the order in which they come. No object is made for a tuple. */
export class Tuples {
  length = 0;
  readonly #width: number;
  #words: Float64Array;
  /** Tuples, counted from 1, at their hashes: twice as many as the words have room for. */
  #slots = new Uint32Array(2 * tuplesFirst);
  #shift = Math.clz32(2 * tuplesFirst) + 1;

  constructor(width: 1 | 2 | 3) {
    this.#width = width;
    this.#words = new Float64Array(tuplesFirst * width);
  }

  /** A word of a tuple. */
  at(tuple: number, place: number): number {
    return this.#words[tuple * this.#width + place];
  }

  /** The number of a tuple, -1 if it never came. */
  find(first: number, second = 0, third = 0): number {
    return this.#slots[this.#slotOf(first, second, third)] - 1;
  }

  /** The number of a tuple: the former `length` for a new one. */
  intern(first: number, second = 0, third = 0): number {
    let slot = this.#slotOf(first, second, third);
    const found = this.#slots[slot];
    if (found !== 0) return found - 1;
    const at = this.length * this.#width;
    if (at === this.#words.length) {
      this.#grow();
      slot = this.#slotOf(first, second, third);
    }
    this.#words[at] = first;
    if (this.#width > 1) this.#words[at + 1] = second;
    if (this.#width > 2) this.#words[at + 2] = third;
    this.#slots[slot] = ++this.length;
    return this.length - 1;
  }

  /** Where a tuple is among the slots, or the free slot for it. */
  #slotOf(first: number, second: number, third: number): number {
    const slots = this.#slots;
    const words = this.#words;
    const width = this.#width;
    let hash = Math.imul(first | 0, lowFactor);
    if (first > wordMax) hash = (hash + Math.imul((first * twoToMinus32) | 0, highFactor)) | 0;
    if (width > 1) hash = (hash + Math.imul(second | 0, secondFactor)) | 0;
    if (width > 2) hash = (hash + Math.imul(third | 0, thirdFactor)) | 0;
    const last = slots.length - 1;
    for (let slot = hash >>> this.#shift; ; slot = slot === last ? 0 : slot + 1) {
      const found = slots[slot];
      if (found === 0) return slot;
      const at = (found - 1) * width;
      if (words[at] !== first) continue;
      if (width > 1 && words[at + 1] !== second) continue;
      if (width < 3 || words[at + 2] === third) return slot;
    }
  }

  #grow(): void {
    const words = this.#words;
    const width = this.#width;
    this.#words = new Float64Array(2 * words.length);
    this.#words.set(words);
    this.#slots = new Uint32Array(2 * this.#slots.length);
    this.#shift--;
    for (let at = 0; at < words.length; at += width) {
      const second = width > 1 ? words[at + 1] : 0;
      const slot = this.#slotOf(words[at], second, width > 2 ? words[at + 2] : 0);
      this.#slots[slot] = at / width + 1;
    }
  }
}

/** Small ids have a place in a list that is at most this many times as long as there are ids. */
const sparsest = 4;
const smallFirst = 4096;

/** Numbers ids in the order in which they come, as `Tuples` of one: those that are small, as most are, without a hash. */
export class Ids {
  length = 0;
  /** By id: its number, counted from 1. */
  #small = new Uint32Array(smallFirst);
  readonly #large = new Tuples(1);
  /** By tuple. */
  readonly #numbers: number[] = [];

  /** The number of an id, -1 if it never came. */
  find(id: number): number {
    const small = this.#small;
    if (id >= 0 && id < small.length && small[id] !== 0) return small[id] - 1;
    if (this.#numbers.length === 0) return -1;
    const tuple = this.#large.find(id);
    return tuple < 0 ? -1 : this.#numbers[tuple];
  }

  /** The number of an id: the former `length` for a new one. */
  intern(id: number): number {
    const found = this.find(id);
    if (found >= 0) return found;
    if (id >= this.#small.length && id < sparsest * this.length) {
      const wider = new Uint32Array(2 * id);
      wider.set(this.#small);
      this.#small = wider;
    }
    this.length++;
    if (id >= 0 && id < this.#small.length) this.#small[id] = this.length;
    else this.#numbers[this.#large.intern(id)] = this.length - 1;
    return this.length - 1;
  }
}

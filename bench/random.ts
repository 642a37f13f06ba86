/** Numbers that are the same for the same seed (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** In [from, to). */
  between(from: number, to: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return from + (((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32) * (to - from);
  }

  isTrue(probability: number): boolean {
    return this.between(0, 1) < probability;
  }

  /** Standard normal (Box and Muller). */
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.between(0, 1))) * Math.cos(this.between(0, 2 * Math.PI));
  }
}

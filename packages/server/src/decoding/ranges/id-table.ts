/**
 * Numbers 0, 1, 2 ... for 64-bit ids in order of arrival: open addressing over the two halves, at most half full.
 * Ids are hashes already, so their low half is the slot.
 */
export class IdTable {
  #length = 0;
  #halves = new Uint32Array(2 * 1024);
  #slots = new Int32Array(2 * 1024).fill(-1);

  get length(): number {
    return this.#length;
  }

  /** The number of an id; -1 if it is not in the table. */
  find(low: number, high: number): number {
    return this.#slots[this.#slot(low, high)]!;
  }

  /** Gives an id the next number; false if it has one already. */
  add(low: number, high: number): boolean {
    const slot = this.#slot(low, high);
    if (this.#slots[slot] !== -1) return false;
    this.#halves[2 * this.#length] = low;
    this.#halves[2 * this.#length + 1] = high;
    this.#slots[slot] = this.#length++;
    if (this.#length * 2 === this.#halves.length) this.#grow();
    return true;
  }

  #slot(low: number, high: number): number {
    const mask = this.#slots.length - 1;
    let slot = low & mask;
    for (let at = this.#slots[slot]!; at !== -1; at = this.#slots[slot]!) {
      if (this.#halves[2 * at] === low && this.#halves[2 * at + 1] === high) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const halves = new Uint32Array(this.#halves.length * 2);
    halves.set(this.#halves);
    this.#halves = halves;
    this.#slots = new Int32Array(halves.length).fill(-1);
    for (let at = 0; at < this.#length; at++) {
      this.#slots[this.#slot(halves[2 * at]!, halves[2 * at + 1]!)] = at;
    }
  }
}

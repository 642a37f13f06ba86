/**
 * Prefix tree under construction: nodes in order of creation, so a parent comes before its children, found by
 * (parent, function) in an open-addressing table. Node 0 is the root.
 */
export class Trie {
  length = 1;
  parent: Int32Array;
  fn: Uint32Array;
  line: Int32Array;
  self: Float64Array;
  ownSamples: Float64Array;
  #slots: Int32Array;

  constructor(capacity: number) {
    const size = Math.max(16, capacity);
    this.parent = new Int32Array(size);
    this.fn = new Uint32Array(size);
    this.line = new Int32Array(size);
    this.self = new Float64Array(size);
    this.ownSamples = new Float64Array(size);
    this.#slots = emptySlots(size);
    this.parent[0] = -1;
  }

  /** Child of `parent` for a function, made when missing. A line that differs from the one known becomes 0. */
  child(parent: number, fn: number, line: number): number {
    const mask = this.#slots.length - 1;
    let slot = slotOf(parent, fn) & mask;
    for (let node = this.#slots[slot]!; node !== -1; node = this.#slots[slot]!) {
      if (this.parent[node] === parent && this.fn[node] === fn) {
        if (this.line[node] !== line) this.line[node] = 0;
        return node;
      }
      slot = (slot + 1) & mask;
    }
    if (this.length === this.parent.length) {
      this.#grow();
      return this.child(parent, fn, line);
    }
    const node = this.length++;
    this.#slots[slot] = node;
    this.parent[node] = parent;
    this.fn[node] = fn;
    this.line[node] = line;
    return node;
  }

  #grow(): void {
    const size = this.parent.length * 2;
    this.parent = grown(this.parent, new Int32Array(size));
    this.fn = grown(this.fn, new Uint32Array(size));
    this.line = grown(this.line, new Int32Array(size));
    this.self = grown(this.self, new Float64Array(size));
    this.ownSamples = grown(this.ownSamples, new Float64Array(size));
    this.#slots = emptySlots(size);
    const mask = this.#slots.length - 1;
    for (let node = 1; node < this.length; node++) {
      let slot = slotOf(this.parent[node]!, this.fn[node]!) & mask;
      while (this.#slots[slot] !== -1) slot = (slot + 1) & mask;
      this.#slots[slot] = node;
    }
  }
}

/** At most half full. */
function emptySlots(nodes: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(nodes * 2))).fill(-1);
}

function slotOf(parent: number, fn: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn + 1, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

/** The larger array, filled from the smaller one. */
export function grown<T extends Int32Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}

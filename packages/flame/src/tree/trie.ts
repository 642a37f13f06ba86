import { grown } from "./columns.ts";

/** Slots probed before a collision attack is assumed. */
const probesMax = 48;

/**
 * Prefix tree under construction: nodes in order of creation, so a parent comes before its children, found by
 * (parent, function) in an open-addressing table. Node 0 is the root.
 *
 * The hash is not secret, so a sender could make many nodes collide; those that find no slot near theirs go to a Map by text,
 * whose hash the runtime keeps secret.
 */
export class Trie {
  length = 1;
  parent: Int32Array;
  fn: Uint32Array;
  line: Int32Array;
  #slots: Int32Array;
  readonly #nodesMax: number;
  readonly #overflow = new Map<string, number>();

  /** `nodesMax`: the most nodes. */
  constructor(capacity: number, nodesMax: number) {
    this.#nodesMax = nodesMax;
    const size = Math.max(16, capacity);
    this.parent = new Int32Array(size);
    this.fn = new Uint32Array(size);
    this.line = new Int32Array(size);
    this.#slots = emptySlots(size);
    this.parent[0] = -1;
  }

  /** Child of `parent` for a function, created if it is missing; -1 if the trie is full. If the line differs from the stored one, the stored line becomes 0. */
  child(parent: number, fn: number, line: number): number {
    const mask = this.#slots.length - 1;
    const first = slotOf(parent, fn);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (first + probe) & mask;
      const node = this.#slots[slot];
      if (node === -1) return this.#add(slot, parent, fn, line);
      if (this.parent[node] === parent && this.fn[node] === fn) return this.#agreeOnLine(node, line);
    }
    const node = this.#overflow.get(`${parent} ${fn}`);
    return node === undefined ? this.#add(-1, parent, fn, line) : this.#agreeOnLine(node, line);
  }

  #agreeOnLine(node: number, line: number): number {
    if (this.line[node] !== line) this.line[node] = 0;
    return node;
  }

  /** @param slot -1 for the overflow */
  #add(slot: number, parent: number, fn: number, line: number): number {
    if (this.length >= this.#nodesMax) return -1;
    if (this.length === this.parent.length) {
      this.#grow();
      return this.child(parent, fn, line);
    }
    const node = this.length++;
    if (slot === -1) this.#overflow.set(`${parent} ${fn}`, node);
    else this.#slots[slot] = node;
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
    this.#slots = emptySlots(size);
    this.#overflow.clear();
    for (let node = 1; node < this.length; node++) this.#place(node);
  }

  #place(node: number): void {
    const parent = this.parent[node];
    const fn = this.fn[node];
    const mask = this.#slots.length - 1;
    const first = slotOf(parent, fn);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (first + probe) & mask;
      if (this.#slots[slot] !== -1) continue;
      this.#slots[slot] = node;
      return;
    }
    this.#overflow.set(`${parent} ${fn}`, node);
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

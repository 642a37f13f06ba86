import { isFunctionBefore, sortRange } from "#tree/breadth-first.ts";
import type { FunctionTable } from "#tree/call-tree.ts";

/** Items by function, for one frame at a time: groups are looked up by the function's id, without hashing. Its arrays are reused. */
export class Groups {
  length = 0;
  readonly #functions: FunctionTable;
  /** By function: the group's number, else -1. */
  readonly #groupOf: Int32Array;
  readonly #functionOf: Uint32Array;
  readonly #first: Int32Array;
  readonly #last: Int32Array;
  readonly #width: Float64Array;
  /** By item: the next one of its group, else -1. */
  readonly #next: Int32Array;
  readonly #order: Uint32Array;

  /** @param items more than the highest number of an item */
  constructor(functions: FunctionTable, items: number) {
    const count = functions.length;
    this.#functions = functions;
    this.#groupOf = new Int32Array(count).fill(-1);
    this.#functionOf = new Uint32Array(count);
    this.#first = new Int32Array(count);
    this.#last = new Int32Array(count);
    this.#width = new Float64Array(count);
    this.#next = new Int32Array(items);
    this.#order = new Uint32Array(count);
  }

  /** Adds an item to the group of its function. */
  add(item: number, fn: number, width: number): void {
    const group = this.#groupOf[fn];
    this.#next[item] = -1;
    if (group !== -1) {
      this.#next[this.#last[group]] = item;
      this.#last[group] = item;
      this.#width[group] = this.#width[group] + width;
      return;
    }
    const added = this.length++;
    this.#groupOf[fn] = added;
    this.#functionOf[added] = fn;
    this.#first[added] = item;
    this.#last[added] = item;
    this.#width[added] = width;
  }

  /** The groups, widest first, equal ones by function: the first `length` of them. Valid until `clear`. */
  sorted(): Uint32Array {
    const order = this.#order;
    for (let group = 0; group < this.length; group++) order[group] = group;
    if (this.length > 1) sortRange(order, 0, this.length, this.#isBefore);
    return order;
  }

  // One function for all frames: there are as many frames as nodes.
  readonly #isBefore = (a: number, b: number): boolean => {
    const width = this.#width;
    if (width[a] !== width[b]) return width[a] > width[b];
    return isFunctionBefore(this.#functions, this.#functionOf[a], this.#functionOf[b]);
  };

  functionOf(group: number): number {
    return this.#functionOf[group];
  }

  widthOf(group: number): number {
    return this.#width[group];
  }

  first(group: number): number {
    return this.#first[group];
  }

  /** The item after this one in its group, or -1. */
  next(item: number): number {
    return this.#next[item];
  }

  clear(): void {
    for (let group = 0; group < this.length; group++) this.#groupOf[this.#functionOf[group]] = -1;
    this.length = 0;
  }
}

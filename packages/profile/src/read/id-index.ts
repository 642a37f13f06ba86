import type { GrowableUint32 } from "#memory/growable.ts";
import { Refusal } from "#model/profile-error.ts";

/**
 * Finds the index of a 64-bit id. Ids counted from 1, as Go writes them, are a table look-up. Others are
 * found by binary search: slower than hashing, but no sender can make it slow on purpose.
 */
export class IdIndex {
  /** dense[id] = index + 1, empty if the ids are too sparse. */
  readonly dense: Uint32Array;
  private readonly sorted: Uint32Array;
  private readonly order: Uint32Array;
  private readonly length: number;

  /** Refuses the reserved id 0 and repeated ids. `table` and `spans` (starts, ends) locate them in the error. */
  constructor(ids: BigUint64Array, table: string, spans: Uint32Array, memory: GrowableUint32) {
    this.length = ids.length;
    const halves = new Uint32Array(ids.buffer, ids.byteOffset, ids.length * 2);
    const max = maxOf(halves);
    this.dense = memory.zeros(max <= ids.length * 4 + 1024 ? max + 1 : 0);
    if (this.dense.length > 0) {
      this.sorted = halves.subarray(0, 0);
      this.order = halves.subarray(0, 0);
      fillDense(this.dense, halves, table, spans);
      return;
    }
    const sorted = ids.slice().sort();
    this.sorted = new Uint32Array(sorted.buffer);
    this.order = new Uint32Array(ids.length);
    if (sorted[0] === 0n) refuseZero(table, spans[2 * ids.indexOf(0n)]);
    for (let i = 1; i < sorted.length; i++) {
      if (sorted[i] === sorted[i - 1]) refuseTwice(table, sorted[i], spans[2 * ids.lastIndexOf(sorted[i])]);
    }
    for (let i = 0; i < ids.length; i++) this.order[this.rank(halves[2 * i], halves[2 * i + 1])] = i;
  }

  /** The index, or -1. */
  find(lo: number, hi: number): number {
    if (this.sorted.length === 0) return hi === 0 && lo < this.dense.length ? this.dense[lo] - 1 : -1;
    const rank = this.rank(lo, hi);
    if (rank === this.length) return -1;
    return this.sorted[2 * rank] === lo && this.sorted[2 * rank + 1] === hi ? this.order[rank] : -1;
  }

  private rank(lo: number, hi: number): number {
    const sorted = this.sorted;
    let from = 0;
    let to = this.length;
    while (from < to) {
      const middle = (from + to) >>> 1;
      const high = sorted[2 * middle + 1];
      if (high < hi || (high === hi && sorted[2 * middle] < lo)) from = middle + 1;
      else to = middle;
    }
    return from;
  }
}

/** The greatest id, Infinity where one needs more than 32 bits. */
function maxOf(halves: Uint32Array): number {
  let max = 0;
  for (let i = 0; i < halves.length; i += 2) {
    if (halves[i + 1] !== 0) return Number.POSITIVE_INFINITY;
    if (halves[i] > max) max = halves[i];
  }
  return max;
}

function fillDense(dense: Uint32Array, halves: Uint32Array, table: string, spans: Uint32Array): void {
  for (let i = 0; i < halves.length; i += 2) {
    const id = halves[i];
    if (id === 0) refuseZero(table, spans[i]);
    if (dense[id] !== 0) refuseTwice(table, id, spans[i]);
    dense[id] = i / 2 + 1;
  }
}

function refuseZero(table: string, offset: number): never {
  throw new Refusal("invalid", `A ${table} has the reserved id 0.`, `${table}.id`, offset);
}

function refuseTwice(table: string, id: number | bigint, offset: number): never {
  throw new Refusal("invalid", `Two ${table}s have the id ${id}.`, `${table}.id`, offset);
}

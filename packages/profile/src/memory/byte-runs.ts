import { GrowableUint32 } from "./growable.ts";
import type { TextBytes } from "./text-bytes.ts";

/** Slots probed before a collision attack is assumed. */
const probesMax = 48;
const slotsFirst = 1024;

/**
 * Numbers equal runs of bytes, counted from 0. The bytes stay where they are: `kept` has one run of each number.
 *
 * An open hash table, whose slots have the number of a run, counted from 1, and its hash. Runs that find no slot near theirs go to a
 * Map, whose hash the runtime keeps secret.
 */
export class ByteRuns {
  length = 0;
  /** May be replaced by a larger copy. */
  kept: TextBytes;
  /** Three words each: start, end and hash. */
  readonly #runs = new GrowableUint32(1024);
  #slots = new Uint32Array(2 * slotsFirst);
  readonly #overflow = new Map<string, number>();
  /** The hash that `find` looked for last. */
  #hash = 0;

  constructor(kept: TextBytes) {
    this.kept = kept;
  }

  /** The number of the run source[from, to); -1 for a new one, which `add` adds. */
  find(source: TextBytes, from: number, to: number): number {
    const hash = source.hashOf(from, to);
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    this.#hash = hash;
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = 2 * ((hash + probe) & mask);
      const found = slots[slot];
      if (found === 0) return -1;
      if (slots[slot + 1] === hash && this.#isEqual(found - 1, source, from, to)) return found - 1;
    }
    return this.#overflow.get(textOf(source, from, to)) ?? -1;
  }

  /** The number of the run that was not found, which is kept[from, to). */
  add(from: number, to: number): number {
    const run = this.length++;
    this.#runs.push(from);
    this.#runs.push(to);
    this.#runs.push(this.#hash);
    if (4 * this.length > this.#slots.length) this.#grow();
    else this.#place(run);
    return run;
  }

  #place(run: number): void {
    const slots = this.#slots;
    const mask = slots.length / 2 - 1;
    const hash = this.#runs.array[3 * run + 2];
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = 2 * ((hash + probe) & mask);
      if (slots[slot] !== 0) continue;
      slots[slot] = run + 1;
      slots[slot + 1] = hash;
      return;
    }
    const { array } = this.#runs;
    this.#overflow.set(textOf(this.kept, array[3 * run], array[3 * run + 1]), run);
  }

  #grow(): void {
    this.#slots = new Uint32Array(2 * this.#slots.length);
    this.#overflow.clear();
    for (let run = 0; run < this.length; run++) this.#place(run);
  }

  #isEqual(run: number, source: TextBytes, from: number, to: number): boolean {
    const start = this.#runs.array[3 * run];
    const length = to - from;
    return this.#runs.array[3 * run + 1] - start === length && this.kept.isEqual(start, length, source, from);
  }
}

function textOf({ bytes }: TextBytes, from: number, to: number): string {
  return bytes.subarray(from, to).join();
}

/** Words kept for the next profile, so that one huge profile does not hold its memory permanently. */
const keptWords = 1 << 18;

/** A Uint32Array that doubles when it is full. Its size is bounded by the input. */
export class GrowableUint32 {
  array: Uint32Array<ArrayBuffer>;
  length = 0;

  constructor(capacity: number) {
    this.array = new Uint32Array(Math.max(16, capacity));
  }

  push(value: number): void {
    if (this.length === this.array.length) this.reserve(1);
    this.array[this.length++] = value;
  }

  /** Makes room for `count` more. */
  reserve(count: number): void {
    const needed = this.length + count;
    if (needed <= this.array.length) return;
    const larger = new Uint32Array(Math.max(needed, this.array.length * 2));
    larger.set(this.array.subarray(0, this.length));
    this.array = larger;
  }

  /** The filled part; it shares the memory of `array`. */
  filled(): Uint32Array<ArrayBuffer> {
    return this.array.subarray(0, this.length);
  }

  /** The filled part in separate memory: a copy, or this memory itself where it would not be kept. */
  take(): Uint32Array<ArrayBuffer> {
    if (this.array.length <= keptWords) return this.array.slice(0, this.length);
    const taken = this.filled();
    this.array = new Uint32Array(16);
    this.length = 0;
    return taken;
  }

  /** Empties it, with room for `capacity`. The room is not zeroed. */
  clear(capacity = 0): this {
    this.length = 0;
    if (this.array.length < capacity) this.array = new Uint32Array(capacity);
    return this;
  }

  /** `length` zeros in the memory of `array`. */
  zeros(length: number): Uint32Array<ArrayBuffer> {
    this.clear(length);
    return this.array.subarray(0, length).fill(0);
  }

  /** Keeps memory of a moderate size for the next use. */
  release(): void {
    this.length = 0;
    if (this.array.length > keptWords) this.array = new Uint32Array(16);
  }
}

const growable = () => new GrowableUint32(1024);

/**
 * Working memory reused for each profile: allocating it costs more than the work done in it. Reading and
 * summing are synchronous, so that it has one user at a time; results are never stored in it.
 */
export const scratch = {
  /** By field number of the profile message. */
  spans: Array.from({ length: 7 }, growable),
  functions: growable(),
  mappings: growable(),
  locations: growable(),
  lines: growable(),
  locationIds: growable(),
  labels: growable(),
  frames: growable(),
  frameIds: growable(),
  frameLines: growable(),
  frameSlots: growable(),
  onlyFrame: growable(),
  isResolved: growable(),
  stacks: growable(),
  stackStarts: growable(),
  stackIds: growable(),
  stackSlots: growable(),
  stackOf: growable(),
};

const { spans, ...others } = scratch;
const all = [...spans, ...Object.values(others)];

/** Call it when a reader is done, successful or not. */
export function releaseScratch(): void {
  for (const memory of all) memory.release();
}

/** 64-bit numbers are stored through the halves of the column, without making a BigInt. Little-endian hosts. */
export function halvesOf(column: BigUint64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, column.length * 2);
}

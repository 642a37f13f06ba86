import { halvesOf } from "#memory/halves.ts";
import type { ValueColumn } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";

/** Reads sample values as numbers, and again as 64-bit integers for the columns where that was not exact. */
export class ValueReader {
  private readonly wire: WireReader;
  private readonly types: number;
  private readonly numbers: Float64Array<ArrayBuffer>[];
  /** Sum of the absolute values: up to 2^53 every value and every partial sum is exact. */
  private readonly magnitude: Float64Array;
  private sample = 0;
  private count = 0;

  constructor(wire: WireReader, types: number, samples: number) {
    this.wire = wire;
    this.types = types;
    this.numbers = Array.from({ length: types }, () => new Float64Array(samples));
    this.magnitude = new Float64Array(types);
  }

  begin(sample: number): void {
    this.sample = sample;
    this.count = 0;
  }

  /** Reads one sample.value that is not packed. */
  readOne(end: number): void {
    this.wire.varint(end);
    this.add(this.wire.signed());
  }

  /** Reads a packed list that ends at `end`. */
  readPacked(from: number, end: number): void {
    this.wire.pos = from;
    while (this.wire.pos < end) this.readOne(end);
  }

  add(value: number): void {
    const type = this.count++;
    if (type >= this.types) return;
    this.numbers[type][this.sample] = value;
    this.magnitude[type] += Math.abs(value);
  }

  finish(offset: number): void {
    if (this.count === this.types) return;
    const message = `A sample has ${this.count} values where the profile has ${this.types} sample types.`;
    throw new Refusal("invalid", message, "sample.value", offset);
  }

  columns(spans: Uint32Array): ValueColumn[] {
    const wide = this.numbers.map(({ length }, type) =>
      this.magnitude[type] <= Number.MAX_SAFE_INTEGER ? undefined : new BigInt64Array(length),
    );
    if (wide.some((column) => column !== undefined)) this.readWide(spans, wide);
    return this.numbers.map((numbers, type) => wide[type] ?? numbers);
  }

  /** Fills the columns that are there: all in one pass, as there may be many. */
  private readWide(spans: Uint32Array, columns: readonly (BigInt64Array | undefined)[]): void {
    const halves = columns.map((column) => column && halvesOf(column));
    const wire = this.wire;
    for (let i = 0; i < spans.length; i += 2) {
      const end = spans[i + 1];
      let type = 0;
      wire.pos = spans[i];
      while (wire.pos < end) {
        const tag = wire.tag(end);
        if (tag >>> 3 !== 2) {
          wire.other(tag, end, "sample", []);
          continue;
        }
        const stop = tag === 0x12 ? wire.block(end, "sample.value") : wire.pos + 1;
        while (wire.pos < stop) {
          wire.varint(end);
          const column = halves[type++];
          if (column === undefined) continue;
          column[i] = wire.lo;
          column[i + 1] = wire.hi;
        }
      }
    }
  }
}

import { ByteRuns } from "#memory/byte-runs.ts";
import { TextBytes } from "#memory/text-bytes.ts";
import { truncatedName } from "#model/limits.ts";
import type { ValueType } from "#model/stack-table.ts";
import { Output } from "#wire/output.ts";
import { encodeText } from "#wire/wire-reader.ts";
import type { LineFrame } from "./stack-lines.ts";

const nothing = new Uint8Array(0);

/** Addresses of a process that hold a file. */
export interface MemoryRange {
  readonly start: bigint;
  /** Behind the last address. */
  readonly limit: bigint;
  /** Of `start` in the file. */
  readonly offset: bigint;
  readonly file: string;
}

/** Writes a profile whose entries come in any order: every entry comes after those that it names. */
export class PprofWriter {
  readonly out: Output;
  #strings = 0;
  readonly #runs: ByteRuns;
  /** The index of each run. */
  readonly #indexes: number[] = [];
  readonly #texts = new Map<string, number>();
  #empty: number | undefined;
  #functions = 0;
  #locations = 0;
  #mappings = 0;
  #truncated = 0;

  /** @param bytesMax is the length of the whole profile: beyond it, writing throws `tooLong` */
  constructor(bytesMax: number) {
    this.out = new Output().clear(bytesMax);
    this.#runs = new ByteRuns(new TextBytes(this.out.bytes));
    this.text("");
  }

  /** The index of a text, which is written once. */
  text(text: string): number {
    const known = this.#texts.get(text);
    if (known !== undefined) return known;
    const bytes = encodeText(text);
    const index = this.copied(new TextBytes(bytes), 0, bytes.length);
    this.#texts.set(text, index);
    return index;
  }

  /** As `text`, of a text that is source[from, to). */
  copied(source: TextBytes, from: number, to: number): number {
    const { out } = this;
    const runs = this.#runs;
    const known = runs.find(source, from, to);
    if (known >= 0) return this.#indexes[known];
    const index = this.#string(source.bytes.subarray(from, to), nothing, nothing);
    if (runs.kept.bytes !== out.bytes) runs.kept = new TextBytes(out.bytes);
    runs.add(out.length - (to - from), out.length);
    this.#indexes.push(index);
    return index;
  }

  /** The id of a new function, whose name is in parts. */
  function(first: Uint8Array, second: Uint8Array, third: Uint8Array, file = 0): number {
    return this.functionOf(this.#string(first, second, third), file);
  }

  /** The id of a new function, by the indexes of its texts. */
  functionOf(name: number, file: number): number {
    const { out } = this;
    const start = out.open(0x2a);
    out.varint(0x08);
    out.varint(++this.#functions);
    out.varint(0x10);
    out.varint(name);
    out.varint(0x18);
    out.varint(name);
    if (file > 0) {
      out.varint(0x20);
      out.varint(file);
    }
    out.close(start);
    return this.#functions;
  }

  /** The id of a new location, at a line of a function. */
  location(fn: number, line: number): number {
    const { out } = this;
    const start = out.open(0x22);
    out.varint(0x08);
    out.varint(++this.#locations);
    const inner = out.open(0x22);
    out.varint(0x08);
    out.varint(fn);
    if (line < 0) out.bigint(0x10, BigInt(line));
    if (line > 0) {
      out.varint(0x10);
      out.varint(line);
    }
    out.close(inner);
    out.close(start);
    return this.#locations;
  }

  /** The id of a new location in a new function. */
  named({ name, file, line }: LineFrame): number {
    return this.location(this.function(encodeText(name), nothing, nothing, this.text(file)), line);
  }

  /** The id of a new location without a function. */
  address(address: bigint, mapping: number): number {
    const { out } = this;
    const start = out.open(0x22);
    out.varint(0x08);
    out.varint(++this.#locations);
    if (mapping > 0) {
      out.varint(0x10);
      out.varint(mapping);
    }
    out.bigint(0x18, address);
    out.close(start);
    return this.#locations;
  }

  /** The id of a new mapping. */
  mapping({ start, limit, offset, file }: MemoryRange): number {
    const { out } = this;
    const name = this.text(file);
    const at = out.open(0x1a);
    out.varint(0x08);
    out.varint(++this.#mappings);
    out.bigint(0x10, start);
    out.bigint(0x18, limit);
    out.bigint(0x20, offset);
    out.varint(0x28);
    out.varint(name);
    out.close(at);
    return this.#mappings;
  }

  /** The id of the location that replaces frames which the profiler left out. */
  truncatedLocation(): number {
    if (this.#truncated === 0)
      this.#truncated = this.location(this.function(encodeText(truncatedName), nothing, nothing), 0);
    return this.#truncated;
  }

  valueType(tag: number, { type, unit }: ValueType): void {
    const { out } = this;
    const [typeIndex, unitIndex] = [this.text(type), this.text(unit)];
    const start = out.open(tag);
    out.varint(0x08);
    out.varint(typeIndex);
    out.varint(0x10);
    out.varint(unitIndex);
    out.close(start);
  }

  /** Labels as fields of a sample. */
  labels(labels: Readonly<Record<string, string>>): Uint8Array {
    const indexes = Object.entries(labels).map((label) =>
      label.map((text) => this.text(text) || this.#noText()),
    );
    const fields = new Output().clear(Number.POSITIVE_INFINITY);
    for (const [key, text] of indexes) {
      const start = fields.open(0x1a);
      fields.varint(0x08);
      fields.varint(key!);
      fields.varint(0x10);
      fields.varint(text!);
      fields.close(start);
    }
    return fields.bytes.slice(0, fields.length);
  }

  /** The index of an empty text in a label: the first text of a profile says that there is none. */
  #noText(): number {
    this.#empty ??= this.#string(nothing, nothing, nothing);
    return this.#empty;
  }

  /** A label that is a number, as a field of a sample. */
  numberLabel(key: string, value: bigint): Uint8Array {
    const name = this.text(key);
    const fields = new Output().clear(Number.POSITIVE_INFINITY);
    const start = fields.open(0x1a);
    fields.bigint(0x08, BigInt(name));
    fields.bigint(0x18, value);
    fields.close(start);
    return fields.bytes.slice(0, fields.length);
  }

  #string(first: Uint8Array, second: Uint8Array, third: Uint8Array): number {
    const { out } = this;
    out.varint(0x32);
    out.varint(first.length + second.length + third.length);
    out.copy(first, 0, first.length);
    out.copy(second, 0, second.length);
    out.copy(third, 0, third.length);
    return this.#strings++;
  }
}

import { dayMs } from "@flamekeep/contract/durations";

/** Reads ClickHouse's RowBinary: values one after the other, little-endian, lengths as LEB128. */
export class RowBinaryReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  /** Bytes that were read. */
  get at(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A String column: a view of its bytes, without a copy. */
  bytes(): Buffer {
    return this.#take(this.length());
  }

  text(): string {
    return this.bytes().toString("utf8");
  }

  uint16(): number {
    return this.#take(2).readUInt16LE();
  }

  uint32(): number {
    return this.#take(4).readUInt32LE();
  }

  uint64(): bigint {
    return this.#take(8).readBigUInt64LE();
  }

  int64(): bigint {
    return this.#take(8).readBigInt64LE();
  }

  /** An Array(UInt64) column. */
  uint64s(): BigUint64Array {
    const length = this.length();
    // A copy, because the offset of a typed array must be a multiple of eight.
    return new BigUint64Array(Uint8Array.from(this.#take(length * 8)).buffer);
  }

  /** An Array(Int64) column. */
  int64s(): BigInt64Array {
    const length = this.length();
    return new BigInt64Array(Uint8Array.from(this.#take(length * 8)).buffer);
  }

  /** An Array(Float64) column. */
  float64s(): Float64Array {
    const length = this.length();
    return new Float64Array(Uint8Array.from(this.#take(length * 8)).buffer);
  }

  /** An Array(String) column. */
  texts(): string[] {
    return Array.from({ length: this.length() }, () => this.text());
  }

  skip(count: number): void {
    this.#take(count);
  }

  /** A length: bytes of a string, elements of an array. */
  length(): number {
    let result = 0;
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes[this.#at++];
      if (byte === undefined) throw new RangeError("RowBinary ends inside a value");
      result += (byte & 0x7f) * factor;
      if (byte < 0x80) return result;
    }
  }

  #take(count: number): Buffer {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError("RowBinary ends inside a value");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

const two32 = 2 ** 32;

/** Writes ClickHouse's RowBinary; see `RowBinaryReader`. */
export class RowBinaryWriter {
  #bytes: Buffer<ArrayBuffer>;
  #at = 0;

  constructor(capacity: number) {
    this.#bytes = Buffer.allocUnsafeSlow(capacity);
  }

  /** The written bytes. Their memory is not shared, so it may be moved to another thread. */
  finish(): Buffer<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#at);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#at);
    this.#at += bytes.length;
  }

  /** A String column; invalid Unicode is replaced. */
  text(text: string): void {
    const length = Buffer.byteLength(text);
    this.length(length);
    this.#reserve(length);
    this.#at += this.#bytes.write(text, this.#at);
  }

  /** A UUID column: each half of the 16 bytes in reverse order. */
  uuid(text: string): void {
    const bytes = Buffer.from(text.replaceAll("-", ""), "hex");
    this.bytes(bytes.subarray(0, 8).reverse());
    this.bytes(bytes.subarray(8).reverse());
  }

  /** A Date column, from `2026-11-20`. */
  date(day: string): void {
    const days = Date.parse(day) / dayMs;
    this.bytes(Uint8Array.of(days & 0xff, days >>> 8));
  }

  uint8(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#at++] = value;
  }

  uint32(value: number): void {
    this.#reserve(4);
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
  }

  /** Int64 and UInt64 columns. Values out of range wrap around, as in the engine's arithmetic. */
  int64(value: bigint): void {
    this.#reserve(8);
    this.#at = this.#bytes.writeBigInt64LE(BigInt.asIntN(64, value), this.#at);
  }

  /** A UInt64 column, as its two halves: millions of ids as bigints would take seconds. */
  word(low: number, high: number): void {
    this.#reserve(8);
    const bytes = this.#bytes;
    const at = this.#at;
    bytes[at] = low;
    bytes[at + 1] = low >>> 8;
    bytes[at + 2] = low >>> 16;
    bytes[at + 3] = low >>> 24;
    bytes[at + 4] = high;
    bytes[at + 5] = high >>> 8;
    bytes[at + 6] = high >>> 16;
    bytes[at + 7] = high >>> 24;
    this.#at = at + 8;
  }

  /** An Array column. */
  array<T>(items: readonly T[], write: (item: T) => void): void {
    this.length(items.length);
    for (const item of items) write(item);
  }

  /** A Map column. */
  map<V>(map: ReadonlyMap<string, V>, write: (value: V) => void): void {
    this.length(map.size);
    for (const [key, value] of map) {
      this.text(key);
      write(value);
    }
  }

  /** An Array of 64-bit numbers, in the byte order of this machine (little-endian). */
  words(words: ArrayBufferView): void {
    this.length(words.byteLength >>> 3);
    this.bytes(new Uint8Array(words.buffer, words.byteOffset, words.byteLength));
  }

  /** An Array of Int64: of integers. */
  int64s(column: Float64Array | BigInt64Array): void {
    if (column instanceof BigInt64Array) {
      this.words(column);
      return;
    }
    this.length(column.length);
    this.#reserve(8 * column.length);
    const { buffer, byteOffset, byteLength } = this.#bytes;
    // Half the time of a typed array that is copied.
    const view = new DataView(buffer, byteOffset, byteLength);
    let at = this.#at;
    for (let i = 0; i < column.length; i++, at += 8) {
      const value = column[i]!;
      view.setUint32(at, value, true);
      view.setUint32(at + 4, value < 0 || value >= two32 ? Math.floor(value / two32) : 0, true);
    }
    this.#at = at;
  }

  /** A length: bytes of a string, elements of an array. */
  length(length: number): void {
    this.#reserve(5);
    let rest = length;
    for (; rest >= 0x80; rest >>>= 7) this.#bytes[this.#at++] = (rest & 0x7f) | 0x80;
    this.#bytes[this.#at++] = rest;
  }

  #reserve(count: number): void {
    if (this.#at + count <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(this.#at + count, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#at));
    this.#bytes = larger;
  }
}

/** Bytes of `length` as `RowBinaryWriter.length` writes it. */
export function lengthBytes(length: number): number {
  let bytes = 1;
  for (let rest = length; rest >= 0x80; rest >>>= 7) bytes++;
  return bytes;
}

/** Reads ClickHouse's RowBinary: values one after the other, little-endian, lengths as LEB128. */
export class RowBinaryReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  /** A String column: its bytes, not copied. */
  bytes(): Buffer {
    return this.#take(this.length());
  }

  text(): string {
    return this.bytes().toString("utf8");
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
    // Copied: a typed array's offset must be a multiple of eight.
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

  /** Of a string in bytes, of an array in elements. */
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

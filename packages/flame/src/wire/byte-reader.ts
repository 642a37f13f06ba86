/** The bytes are not a flame graph of a version we read, or they are damaged. */
export class FlameGraphFormatError extends Error {
  override readonly name = "FlameGraphFormatError";
  readonly offset: number;

  constructor(problem: string, offset: number) {
    super(`Not a readable flame graph: ${problem} at byte ${offset}`);
    this.offset = offset;
  }
}

/** Reads the format of ByteWriter, within its section: never past the end, only exact numbers. */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, from = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#at = from;
    this.#end = end;
  }

  get offset(): number {
    return this.#at;
  }

  get remaining(): number {
    return this.#end - this.#at;
  }

  fail(problem: string): never {
    throw new FlameGraphFormatError(problem, this.#at);
  }

  bytes(length: number): Uint8Array {
    if (length > this.remaining) this.fail("section cut short");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  varint(): number {
    if (this.#at >= this.#end) this.fail("number cut short");
    let byte = this.#bytes[this.#at++];
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      if (this.#at >= this.#end) this.fail("number cut short");
      byte = this.#bytes[this.#at++];
      value += (byte & 127) * scale;
      if (value > Number.MAX_SAFE_INTEGER + 1) this.fail("number too large");
      if (byte < 128) return value;
      if (scale > 2 ** 49) this.fail("number too long");
    }
  }

  signedVarint(): number {
    const value = this.varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A count of items that take at least one byte each: bounds allocations by the bytes received. */
  count(): number {
    const count = this.varint();
    if (count > this.remaining) this.fail("count beyond the section");
    return count;
  }

  /** An index below a bound. */
  index(below: number): number {
    const value = this.varint();
    if (value >= below) this.fail(`index ${value} of ${below}`);
    return value;
  }

  /**
   * Fills a column with varints below 2^32, and returns how many it has read: fewer where the next one is larger. This loop is most of
   * the cost of decoding, so it reads one kind of array and uses local variables.
   */
  column(to: Uint32Array, below = Number.POSITIVE_INFINITY): number {
    const bytes = this.#bytes;
    // Up to here three bytes can be read without looking for the end.
    const safe = this.#end - 2;
    let at = this.#at;
    for (let row = 0; row < to.length; row++) {
      let value = 2 ** 21;
      let size = 1;
      if (at < safe) {
        value = bytes[at];
        // A byte followed by another is 128 too large: the next one subtracts that.
        if (value >= 2 ** 7) value += (bytes[at + size++] - 1) << 7;
        if (value >= 2 ** 14) value += (bytes[at + size++] - 1) << 14;
      }
      if (value >= 2 ** 21) {
        this.#at = at;
        value = this.varint();
        size = this.#at - at;
      }
      if (value >= below) this.fail(`index ${value} of ${below}`);
      if (value >= 2 ** 32) {
        this.#at = at;
        return row;
      }
      to[row] = value;
      at += size;
    }
    this.#at = at;
    return to.length;
  }

  /** Zigzag varints of 32 bits. */
  signedColumn(length: number): Int32Array {
    const values = new Uint32Array(length);
    if (this.column(values) < length) this.fail("number too large");
    for (let row = 0; row < length; row++) values[row] = (values[row] >>> 1) ^ -(values[row] & 1);
    return new Int32Array(values.buffer);
  }

  numbers(length: number): Float64Array {
    const encoding = this.varint();
    if (encoding > 2) this.fail(`number encoding ${encoding}`);
    if (length * (encoding === 2 ? 8 : 1) > this.remaining) this.fail("column cut short");
    if (encoding === 0) return this.#wholeNumbers(length);
    const values = new Float64Array(length);
    for (let row = 0; row < length; row++)
      values[row] = encoding === 1 ? this.signedVarint() : this.#double();
    return values;
  }

  #wholeNumbers(length: number): Float64Array {
    const small = new Uint32Array(length);
    const large: [row: number, value: number][] = [];
    for (let row = this.column(small); row < length; row += 1 + this.column(small.subarray(row + 1))) {
      large.push([row, this.varint()]);
    }
    const values = new Float64Array(small);
    for (const [row, value] of large) values[row] = value;
    return values;
  }

  #double(): number {
    const value = this.#view.getFloat64(this.#at, true);
    if (!Number.isFinite(value)) this.fail("number is not finite");
    this.#at += 8;
    return value;
  }
}

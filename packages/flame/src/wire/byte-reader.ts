/** The bytes are not a flame graph of a version we read, or they are damaged. */
export class FlameGraphFormatError extends Error {
  override readonly name = "FlameGraphFormatError";
  readonly offset: number;

  constructor(what: string, offset: number) {
    super(`Not a readable flame graph: ${what} at byte ${offset}`);
    this.offset = offset;
  }
}

/** Reads what ByteWriter writes, within its section: never past the end, never a number that is not exact. */
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

  fail(what: string): never {
    throw new FlameGraphFormatError(what, this.#at);
  }

  bytes(length: number): Uint8Array {
    if (length > this.remaining) this.fail("section cut short");
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  varint(): number {
    if (this.#at >= this.#end) this.fail("number cut short");
    let byte = this.#bytes[this.#at++]!;
    if (byte < 128) return byte;
    let value = byte & 127;
    for (let scale = 128; ; scale *= 128) {
      if (this.#at >= this.#end) this.fail("number cut short");
      byte = this.#bytes[this.#at++]!;
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

  /** A count of things of which each takes at least one byte here: bounds what is allocated by what was sent. */
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

  /** Fills a column with varints. The loop stays in local variables: it is most of what decoding costs. */
  column<T extends Float64Array | Uint32Array | Int32Array>(to: T, below = Number.POSITIVE_INFINITY): T {
    const bytes = this.#bytes;
    const end = this.#end;
    let at = this.#at;
    for (let row = 0; row < to.length; row++) {
      let value = at < end ? bytes[at]! : 128;
      if (value < 128) at++;
      else if (at + 1 < end && bytes[at + 1]! < 128) {
        value += bytes[at + 1]! * 128 - 128;
        at += 2;
      } else {
        this.#at = at;
        value = this.varint();
        at = this.#at;
      }
      if (value >= below) this.fail(`index ${value} of ${below}`);
      to[row] = value;
    }
    this.#at = at;
    return to;
  }

  /** The same for zigzag varints. */
  signedColumn<T extends Float64Array | Int32Array>(to: T): T {
    const values = to instanceof Int32Array ? new Uint32Array(to.length) : to;
    this.column(values);
    for (let row = 0; row < to.length; row++) {
      const value = values[row]!;
      to[row] = value % 2 === 0 ? value / 2 : -(value + 1) / 2;
    }
    return to;
  }

  numbers(length: number): Float64Array {
    const encoding = this.varint();
    if (encoding > 2) this.fail(`number encoding ${encoding}`);
    if (length * (encoding === 2 ? 8 : 1) > this.remaining) this.fail("column cut short");
    const values = new Float64Array(length);
    if (encoding === 0) return this.column(values);
    if (encoding === 1) return this.signedColumn(values);
    for (let row = 0; row < length; row++) values[row] = this.#double();
    return values;
  }

  #double(): number {
    const value = this.#view.getFloat64(this.#at, true);
    if (!Number.isFinite(value)) this.fail("number is not finite");
    this.#at += 8;
    return value;
  }
}

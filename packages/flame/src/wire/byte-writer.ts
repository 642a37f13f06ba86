const doubles = 2;
const signed = 1;
const unsigned = 0;

/** Growing buffer of LEB128 varints and little-endian doubles. */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(Math.max(16, capacity));
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length);
  }

  bytes(bytes: Uint8Array): void {
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** @param value whole, 0 .. 2^53 */
  varint(value: number): void {
    this.#reserve(8);
    let rest = value;
    // Shifts work on 32 bits only; division serves the few values beyond.
    while (rest >= 0x80000000) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    while (rest >= 128) {
      this.#bytes[this.#length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Zigzag. @param value whole, |value| <= 2^52 */
  signedVarint(value: number): void {
    this.varint(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** A column of numbers: varints where all are whole, doubles where one is a fraction or too big to be exact. */
  numbers(values: Float64Array): void {
    const encoding = encodingOf(values);
    this.varint(encoding);
    if (encoding === unsigned) for (const value of values) this.varint(value);
    else if (encoding === signed) for (const value of values) this.signedVarint(value);
    else for (const value of values) this.#double(value);
  }

  #double(value: number): void {
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#length + count, this.#bytes.length * 2));
    larger.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = larger;
  }
}

function encodingOf(values: Float64Array): number {
  let encoding = unsigned;
  for (const value of values) {
    if (!Number.isInteger(value) || Math.abs(value) > 2 ** 52) return doubles;
    if (value < 0) encoding = signed;
  }
  return encoding;
}

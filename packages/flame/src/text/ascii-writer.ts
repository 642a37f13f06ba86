import type { Bytes } from "@flamekeep/profile";
import { toUtf8 } from "#wire/utf8.ts";

/** Text that is written often, as words of eight bytes: two or three writes instead of one for each byte. */
interface Phrase {
  readonly words: Float64Array;
  readonly length: number;
}

/** @param text ASCII: eight such bytes are never the bits of NaN */
export function phraseOf(text: string): Phrase {
  const bytes = new Uint8Array(Math.ceil(text.length / 8) * 8);
  bytes.set(toUtf8(text));
  return { words: new Float64Array(bytes.buffer), length: text.length };
}

/** The most bytes that a number takes, and that a phrase writes past its end. */
export const numberBytesMax: Bytes = 32;
export const phraseBytesMore: Bytes = 7;

const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
const million = 1_000_000;
const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Writes numbers and phrases as bytes. Call `makeRoom` before any other write. */
export class AsciiWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #view: DataView;
  /** Position of the next write. */
  at = 0;

  constructor(capacity: number) {
    this.#bytes = new Uint8Array(capacity);
    this.#view = new DataView(this.#bytes.buffer);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.at);
  }

  makeRoom(bytes: Bytes): void {
    if (this.at + bytes <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.at + bytes, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.at));
    this.#bytes = larger;
    this.#view = new DataView(larger.buffer);
  }

  byte(byte: number): void {
    this.#bytes[this.at++] = byte;
  }

  bytes(bytes: Uint8Array): void {
    this.#bytes.set(bytes, this.at);
    this.at += bytes.length;
  }

  phrase({ words, length }: Phrase): void {
    const view = this.#view;
    const { at } = this;
    for (let i = 0; i < words.length; i++) view.setFloat64(at + 8 * i, words[i], isLittleEndian);
    this.at = at + length;
  }

  /** Repeats the bytes written from `from` to `to`. */
  again(from: number, to: number): void {
    this.#bytes.copyWithin(this.at, from, to);
    this.at += to - from;
  }

  /** As JSON writes it. @param value finite */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) this.bytes(toUtf8(`${value}`));
    else if (value >= 0) this.#whole(value);
    else {
      this.byte(minus);
      this.#whole(-value);
    }
  }

  /** A number of millionths, written in units: as a whole number, or with six decimals. @param value whole, finite */
  millionths(value: number): void {
    const size = Math.abs(value);
    const rest = size % million;
    // Beyond 2^53 neither the quotient nor the difference is exact.
    const isExact = size <= Number.MAX_SAFE_INTEGER;
    const units = isExact ? (size - rest) / million : Number(BigInt(size) / BigInt(million));
    if (!Number.isSafeInteger(units)) {
      // Such a number has no decimals, and its text may end in an exponent.
      this.number(value / million);
      return;
    }
    if (value < 0) this.byte(minus);
    this.number(units);
    if (rest === 0) return;
    this.byte(point);
    this.#digits(rest, 6);
  }

  #whole(value: number): void {
    if (value < 1e9) {
      this.#digits(value, digitsOf(value));
      return;
    }
    // Division of numbers beyond 32 bits is slow: once for nine digits and not for each.
    const high = Math.floor(value / 1e9);
    this.#whole(high);
    this.#digits(value - high * 1e9, 9);
  }

  /** @param value under 2^31 */
  #digits(value: number, digits: number): void {
    const bytes = this.#bytes;
    const { at } = this;
    let rest = value | 0;
    for (let i = at + digits - 1; i >= at; i--) {
      const tenth = (rest / 10) | 0;
      bytes[i] = zero + rest - 10 * tenth;
      rest = tenth;
    }
    this.at = at + digits;
  }
}

function digitsOf(value: number): number {
  let digits = 1;
  for (let bound = 10; value >= bound; bound *= 10) digits++;
  return digits;
}

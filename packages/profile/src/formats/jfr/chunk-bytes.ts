import { Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, encodeText } from "#wire/wire-reader.ts";

/** Encodings of texts (jdk.jfr.internal.consumer.RecordingInput and StringParser in the JDK). */
const [nullText, emptyText, constantText, utf8Text, charsText, latin1Text] = [0, 1, 2, 3, 4, 5];

/** A number of 64 bits has nine bytes at most, and 8 bits in the ninth. */
export const bytesOfLongMax = 9;
const twoTo32 = 2 ** 32;
/** The high half of numbers up to 2^53. */
const exactHigh = 2 ** 21;

/**
 * 64-bit numbers beyond 2^53, which are ids and addresses mostly. Each gets a negative number, so that ids are plain numbers
 * and no BigInt is made for any.
 */
export class WideNumbers {
  readonly #max: number;
  readonly #halves = new Tuples(2);

  constructor(max: number) {
    this.#max = max;
  }

  /** @param high and `low`: unsigned halves of 32 bits */
  toNumber(high: number, low: number): number {
    if (high < exactHigh) return high * twoTo32 + low;
    const place = this.#halves.intern(high, low) + 1;
    if (place > this.#max) {
      const message = `The recording has more than ${this.#max} ids and values beyond 2^53.`;
      throw new Refusal("too_large", message, "strings", this.#max);
    }
    return -place;
  }

  /** 64 bits, unsigned. */
  toBigInt(number: number): bigint {
    if (number >= 0) return BigInt(number);
    const place = -number - 1;
    return (BigInt(this.#halves.at(place, 0)) << 32n) | BigInt(this.#halves.at(place, 1));
  }
}

/** A whole file, and how much of its limits is left for the chunks that are still to be read. */
export interface Recording {
  readonly file: Uint8Array;
  readonly limits: ReadLimits;
  readonly wide: WideNumbers;
  readonly left: { steps: number; constants: number; rows: number };
}

/** A cursor over the bytes of a chunk, whose numbers are compressed (LEB128) or have their full width, big-endian. */
export class ChunkBytes {
  readonly bytes: Uint8Array;
  readonly wide: WideNumbers;
  pos: number;
  /** Nothing is read beyond it. */
  end: number;
  readonly #isCompressed: boolean;
  readonly #view: DataView;

  constructor(
    { file: bytes, wide }: Recording,
    { end, isCompressed }: { end: number; isCompressed: boolean },
    pos: number,
  ) {
    this.bytes = bytes;
    this.pos = pos;
    this.end = end;
    this.wide = wide;
    this.#isCompressed = isCompressed;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  byte(): number {
    if (this.pos >= this.end) throw this.#cutOff();
    return this.bytes[this.pos++];
  }

  skip(bytes: number): void {
    if (bytes > this.end - this.pos) throw this.#cutOff();
    this.pos += bytes;
  }

  /** A 64-bit number; beyond 2^53 a negative one: see `WideNumbers`. */
  long(): number {
    if (!this.#isCompressed) return this.#fullLong();
    const { bytes, pos } = this;
    const first = bytes[pos];
    if (first >= 0x80 || pos >= this.end) return this.longAt(pos);
    this.pos = pos + 1;
    return first;
  }

  /** Reads a compressed number elsewhere, and goes on behind it. */
  longAt(pos: number): number {
    const { bytes } = this;
    const next = bytes[pos + 1];
    if (next < 0x80 && pos + 1 < this.end) {
      this.pos = pos + 2;
      return (bytes[pos] & 0x7f) | (next << 7);
    }
    this.pos = pos;
    return this.#longerLong();
  }

  #fullLong(): number {
    const at = this.pos;
    this.skip(8);
    return this.wide.toNumber(this.#view.getUint32(at), this.#view.getUint32(at + 4));
  }

  #longerLong(): number {
    const { bytes, end } = this;
    let { pos } = this;
    let low = 0;
    let high = 0;
    for (let shift = 0; ; shift += 7) {
      if (pos >= end) throw this.#cutOff();
      const byte = bytes[pos++];
      // The ninth byte has no mark of an end.
      const bits = shift === 56 ? byte : byte & 0x7f;
      if (shift < 28) low |= bits << shift;
      else if (shift === 28) {
        low |= bits << 28;
        high = bits >>> 4;
      } else high |= bits << (shift - 32);
      if (byte < 0x80 || shift === 56) break;
    }
    this.pos = pos;
    return high === 0 ? low >>> 0 : this.wide.toNumber(high >>> 0, low >>> 0);
  }

  skipLong(): void {
    if (this.#isCompressed) this.skipCompressed(1);
    else this.skip(8);
  }

  skipInts(count: number): void {
    if (this.#isCompressed) this.skipCompressed(count);
    else this.skip(4 * count);
  }

  /** Skips numbers of any width of a chunk that compresses them. */
  skipCompressed(count: number): void {
    const { bytes, end } = this;
    let { pos } = this;
    for (let left = count; left > 0 && pos < end; left--) {
      const last = pos + bytesOfLongMax - 1;
      while (bytes[pos] >= 0x80 && pos < last) pos++;
      pos++;
    }
    if (pos > end || (pos === end && count > end - this.pos)) throw this.#cutOff();
    this.pos = pos;
  }

  /** A signed 32-bit number. */
  int(): number {
    if (this.#isCompressed) return this.long() | 0;
    const at = this.pos;
    this.skip(4);
    return this.#view.getInt32(at);
  }

  float(): number {
    const at = this.pos;
    this.skip(4);
    return this.#view.getFloat32(at);
  }

  /** The length of a list. */
  count(): number {
    const count = this.int();
    if (count >= 0 && count <= this.end - this.pos) return count;
    throw this.#cutOff();
  }

  skipShort(): void {
    this.#char();
  }

  skipText(): void {
    const encoding = this.byte();
    if (encoding === nullText || encoding === emptyText) return;
    if (encoding === constantText) this.skipLong();
    else if (encoding === utf8Text || encoding === latin1Text) this.skip(this.count());
    else if (encoding === charsText) for (let left = this.count(); left > 0; left--) this.skipShort();
    else throw unknownEncoding(encoding, this.pos - 1);
  }

  /** The last `lengthMax` bytes of a text in UTF-8. */
  textBytes(lengthMax: number): Uint8Array {
    const { pos } = this;
    if (this.byte() !== utf8Text) {
      this.pos = pos;
      return encodeText(this.text(lengthMax));
    }
    const length = this.count();
    this.skip(length);
    return this.bytes.subarray(this.pos - Math.min(length, lengthMax), this.pos);
  }

  /**
   * Reads a text. Its last `lengthMax` bytes are kept.
   *
   * @param constantOf a text that is named by its id
   */
  text(lengthMax: number, constantOf?: (id: number) => string): string {
    const encoding = this.byte();
    if (encoding === nullText || encoding === emptyText) return "";
    if (encoding === constantText && constantOf !== undefined) return constantOf(this.long());
    if (encoding === charsText) return this.#chars(lengthMax);
    if (encoding !== utf8Text && encoding !== latin1Text) throw unknownEncoding(encoding, this.pos - 1);
    const length = this.count();
    this.skip(length);
    const kept = this.bytes.subarray(this.pos - Math.min(length, lengthMax), this.pos);
    return encoding === utf8Text ? decodeText(kept) : ofCodes(kept);
  }

  #chars(lengthMax: number): string {
    const length = this.count();
    const kept: number[] = [];
    for (let left = length; left > 0; left--) {
      const code = this.#char();
      if (left <= lengthMax) kept.push(code);
    }
    return ofCodes(kept);
  }

  #char(): number {
    if (this.#isCompressed) return this.long() & 0xffff;
    const at = this.pos;
    this.skip(2);
    return this.#view.getUint16(at);
  }

  #cutOff(): Refusal {
    const message = "The recording is damaged: a value goes beyond the end of its chunk.";
    return new Refusal("malformed", message, "chunk", this.pos);
  }
}

function unknownEncoding(encoding: number, at: number): Refusal {
  return new Refusal(
    "malformed",
    `The recording is damaged: a text has the unknown encoding ${encoding}.`,
    "text",
    at,
  );
}

/** Few enough for the arguments of a call. */
const codesAtOnce = 4096;

function ofCodes(codes: Uint8Array | readonly number[]): string {
  if (codes instanceof Uint8Array && codes.every((code) => code < 0x80)) return decodeText(codes);
  let text = "";
  for (let from = 0; from < codes.length; from += codesAtOnce)
    text += String.fromCharCode(...codes.slice(from, from + codesAtOnce));
  return text.toWellFormed();
}

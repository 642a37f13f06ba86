import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";

/** Encodings of texts (jdk.jfr.internal.consumer.RecordingInput and StringParser in the JDK). */
const [nullText, emptyText, constantText, utf8Text, charsText, latin1Text] = [0, 1, 2, 3, 4, 5];

/** The most 7-bit groups whose number fits a double. A longer number has nine bytes at most, and 8 bits in the ninth. */
const exactGroups = 7;
const bytesOfLongMax = 9;

/**
 * 64-bit numbers beyond 2^53, which are ids and addresses mostly. Each gets a negative number, so that ids are plain numbers
 * and no BigInt is made for those that fit.
 */
export class WideNumbers {
  readonly #max: number;
  readonly #values: bigint[] = [];
  readonly #places = new Map<bigint, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** @param value 64 bits, unsigned */
  toNumber(value: bigint): number {
    if (value <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(value);
    const place = this.#places.get(value) ?? this.#values.push(value);
    this.#places.set(value, place);
    if (place > this.#max) {
      const message = `The recording has more than ${this.#max} ids and values beyond 2^53.`;
      throw new Refusal("too_large", message, "strings", this.#max);
    }
    return -place;
  }

  toBigInt(number: number): bigint {
    return number < 0 ? this.#values[-number - 1] : BigInt(number);
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
    if (!this.#isCompressed) {
      const at = this.pos;
      this.skip(8);
      return this.wide.toNumber(this.#view.getBigUint64(at));
    }
    const { bytes, end } = this;
    let { pos } = this;
    let value = 0;
    for (let group = 0, factor = 1; group < exactGroups; group++, factor *= 0x80) {
      const byte = bytes[pos++];
      if (pos > end) throw this.#cutOff();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) {
        this.pos = pos;
        return value;
      }
    }
    this.pos = pos;
    return this.#wideLong(value);
  }

  #wideLong(lowBits: number): number {
    let value = BigInt(lowBits);
    for (let group = exactGroups; group < bytesOfLongMax; group++) {
      const byte = this.byte();
      const isLast = group === bytesOfLongMax - 1;
      value += BigInt(isLast ? byte : byte & 0x7f) << BigInt(7 * group);
      if (byte < 0x80) break;
    }
    return this.wide.toNumber(BigInt.asUintN(64, value));
  }

  skipLong(): void {
    if (this.#isCompressed) this.skipCompressed(1);
    else this.skip(8);
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

import { decodeText } from "#wire/wire-reader.ts";

const ones = 0x0101_0101;
const highBits = 0x8080_8080 | 0;
const digitsMax = 16;
/** Odd, and different in each process: hashes are not known to those who send texts. */
const factor = (Math.random() * 2 ** 32) | 1;

/** The bytes of a text, which are searched and compared four at a time: only what is new in it is decoded. */
export class TextBytes {
  readonly bytes: Uint8Array;
  readonly view: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Where a byte comes first in [from, to), or else `to`. */
  find(byte: number, from: number, to: number): number {
    const { bytes, view } = this;
    const four = Math.imul(byte, ones);
    let at = from;
    for (const last = to - 4; at <= last; at += 4) {
      const different = view.getInt32(at, true) ^ four;
      // A byte of the word is the one.
      if (((different - ones) & ~different & highBits) !== 0) break;
    }
    while (at < to && bytes[at] !== byte) at++;
    return at;
  }

  /** Where one of two bytes comes last in [from, to); -1 if neither does. */
  findLast(byte: number, other: number, from: number, to: number): number {
    const { bytes } = this;
    for (let at = to - 1; at >= from; at--) if (bytes[at] === byte || bytes[at] === other) return at;
    return -1;
  }

  hashOf(from: number, to: number): number {
    const { bytes, view } = this;
    let hash = 0;
    let at = from;
    for (const last = to - 4; at <= last; at += 4) {
      hash = Math.imul(hash ^ view.getInt32(at, true), factor);
      hash ^= hash >>> 15;
    }
    for (; at < to; at++) hash = Math.imul(hash ^ bytes[at], factor);
    return hash >>> 0;
  }

  /** Whether other[from, from + length) is equal to the bytes at `at`. */
  isEqual(at: number, length: number, other: TextBytes, from: number): boolean {
    const { bytes, view } = this;
    let i = 0;
    for (const last = length - 4; i <= last; i += 4)
      if (view.getInt32(at + i, true) !== other.view.getInt32(from + i, true)) return false;
    for (; i < length; i++) if (bytes[at + i] !== other.bytes[from + i]) return false;
    return true;
  }

  /** Whether [from, to) begins with a text in ASCII. */
  startsWith(text: string, from: number, to: number): boolean {
    if (to - from < text.length) return false;
    for (let i = 0; i < text.length; i++) if (this.bytes[from + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  text(from: number, to: number): string {
    return decodeText(this.bytes.subarray(from, to));
  }

  /** The whole number whose digits are all of [from, to); undefined if it is none, or beyond 2^53. */
  number(from: number, to: number): number | undefined {
    if (from >= to || to - from > digitsMax) return undefined;
    let number = 0;
    for (let at = from; at < to; at++) {
      const digit = this.bytes[at] - 0x30;
      if (digit < 0 || digit > 9) return undefined;
      number = 10 * number + digit;
    }
    return number <= Number.MAX_SAFE_INTEGER ? number : undefined;
  }

  /** The number with which [from, to) begins, as 32 bits of `parseInt`. */
  leadingInt32(from: number, to: number): number {
    let end = from;
    while (end < to && this.bytes[end] >= 0x30 && this.bytes[end] <= 0x39) end++;
    return (this.number(from, end) ?? Number.parseInt(this.text(from, to), 10)) | 0;
  }

  /** The end of [from, to) without white space, as `trimEnd` of strings. */
  trimmedEnd(from: number, to: number): number {
    const { bytes } = this;
    for (let end = to; ; ) {
      while (end > from && isSpace(bytes[end - 1])) end--;
      if (end <= from || bytes[end - 1] < 0x80) return end;
      const last = this.text(Math.max(from, end - 3), end).at(-1)!;
      if (last.trimEnd() !== "") return end;
      end -= last === "\u00a0" ? 2 : 3;
    }
  }

  /** The end of a line [from, to) without the carriage return before its line feed. */
  lineEnd(from: number, to: number): number {
    return to > from && to < this.bytes.length && this.bytes[to - 1] === 13 ? to - 1 : to;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 9 && byte <= 13);
}

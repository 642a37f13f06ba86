import type { Bytes } from "#model/units.ts";

/** Is thrown where more is written than there is room for. */
export const tooLong = new Error("The output is longer than its maximum");

/** Appends bytes to a buffer that doubles: messages of protobuf, field by field. */
export class Output {
  bytes = new Uint8Array(4096);
  length = 0;
  #max: Bytes = 0;
  /** Where the room ends: the buffer may have been made for a longer message. */
  #end = 0;

  /** Empties it, with room for at most `max` bytes. */
  clear(max: Bytes): this {
    this.#max = max;
    this.#end = Math.min(this.bytes.length, max);
    this.length = 0;
    return this;
  }

  reserve(count: number): void {
    if (this.length + count > this.#end) this.#grow(this.length + count);
  }

  #grow(needed: number): void {
    if (needed > this.#max) throw tooLong;
    const larger = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
    this.#end = Math.min(larger.length, this.#max);
  }

  varint(value: number): void {
    this.reserve(5);
    let rest = value;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  /** The numbers that a range of `indexes` names. */
  varints(numbers: Uint32Array, indexes: Uint32Array, from: number, to: number): void {
    this.reserve(5 * (to - from));
    const { bytes } = this;
    let { length } = this;
    for (let at = from; at < to; at++) {
      let rest = numbers[indexes[at]];
      while (rest >= 0x80) {
        bytes[length++] = (rest & 0x7f) | 0x80;
        rest >>>= 7;
      }
      bytes[length++] = rest;
    }
    this.length = length;
  }

  /** A whole number from 0 to 2^63. */
  number(value: number): void {
    this.reserve(10);
    let rest = value;
    for (; rest >= 0x8000_0000; rest = Math.floor(rest / 0x80))
      this.bytes[this.length++] = (rest % 0x80) | 0x80;
    this.varint(rest);
  }

  bigint(tag: number, value: bigint): void {
    this.reserve(11);
    this.bytes[this.length++] = tag;
    let rest = BigInt.asUintN(64, value);
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.length++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[this.length++] = Number(rest);
  }

  /** A 64-bit number in two halves as text: `0x` and its digits. */
  hex(high: number, low: number): void {
    this.reserve(18);
    this.bytes[this.length++] = 0x30;
    this.bytes[this.length++] = 0x78;
    let isLeading = true;
    for (let shift = 60; shift >= 0; shift -= 4) {
      const digit = ((shift >= 32 ? high : low) >>> (shift & 31)) & 15;
      if (isLeading && digit === 0 && shift > 0) continue;
      isLeading = false;
      this.bytes[this.length++] = digit < 10 ? 0x30 + digit : 0x57 + digit;
    }
  }

  copy(from: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const { bytes } = this;
    if (end - start > 40) {
      bytes.set(from.subarray(start, end), this.length);
      this.length += end - start;
      return;
    }
    let { length } = this;
    for (let at = start; at < end; at++) bytes[length++] = from[at];
    this.length = length;
  }

  /** Begins a message; returns its place for `close`. */
  open(tag: number): number {
    this.reserve(6);
    this.bytes[this.length++] = tag;
    return ++this.length;
  }

  /** Writes the length of the message before it. Most take one byte, for which there is room. */
  close(start: number): void {
    const size = this.length - start;
    if (size < 0x80) {
      this.bytes[start - 1] = size;
      return;
    }
    const lengthBytes = size < 0x4000 ? 2 : size < 0x200000 ? 3 : 4;
    this.reserve(lengthBytes);
    this.bytes.copyWithin(start - 1 + lengthBytes, start, this.length);
    this.length = start - 1;
    this.varint(size);
    this.length += size;
  }
}

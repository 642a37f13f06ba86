import { encodeText } from "./wire-reader.ts";

/** Writes protobuf into a buffer that doubles. Zero and empty fields are left out, as proto3 has it. */
export class WireWriter {
  private bytes: Uint8Array<ArrayBuffer> = new Uint8Array(64 * 1024);
  private length = 0;

  private reserve(count: number): void {
    if (this.length + count <= this.bytes.length) return;
    const larger = new Uint8Array(Math.max(this.length + count, this.bytes.length * 2));
    larger.set(this.bytes.subarray(0, this.length));
    this.bytes = larger;
  }

  private varint32(value: number): void {
    this.reserve(5);
    let rest = value >>> 0;
    while (rest >= 0x80) {
      this.bytes[this.length++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    this.bytes[this.length++] = rest;
  }

  private varint64(low: number, high: number): void {
    if (high === 0) {
      this.varint32(low);
      return;
    }
    this.reserve(10);
    let lo = low >>> 0;
    let hi = high >>> 0;
    while (hi !== 0 || lo >= 0x80) {
      this.bytes[this.length++] = (lo & 0x7f) | 0x80;
      lo = ((lo >>> 7) | (hi << 25)) >>> 0;
      hi >>>= 7;
    }
    this.bytes[this.length++] = lo;
  }

  uint32(field: number, value: number): void {
    if (value === 0) return;
    this.varint32(field << 3);
    this.varint32(value);
  }

  /** Negative numbers take ten bytes, as in every int64 field. */
  int32(field: number, value: number): void {
    this.halves(field, value, value < 0 ? -1 : 0);
  }

  halves(field: number, low: number, high: number): void {
    if (low === 0 && high === 0) return;
    this.varint32(field << 3);
    this.varint64(low, high);
  }

  bigint(field: number, value: bigint): void {
    this.halves(field, Number(value & 0xffffffffn), Number((value >> 32n) & 0xffffffffn));
  }

  /** Also writes the empty string: entry 0 of a string table is one. */
  text(field: number, value: string): void {
    const encoded = encodeText(value);
    this.varint32((field << 3) | 2);
    this.varint32(encoded.length);
    this.reserve(encoded.length);
    this.bytes.set(encoded, this.length);
    this.length += encoded.length;
  }

  /** Bytes of fields that were written before. */
  raw(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.bytes.set(bytes, this.length);
    this.length += bytes.length;
  }

  /** The eight bytes of a number, without a tag: one element of a packed list. */
  fixed64(low: number, high: number): void {
    this.reserve(8);
    for (const half of [low, high])
      for (let shift = 0; shift < 32; shift += 8) this.bytes[this.length++] = half >>> shift;
  }

  /** A message or packed list: the bytes that `body` writes, after their length. */
  block(field: number, body: () => void): void {
    this.varint32((field << 3) | 2);
    const start = this.length;
    body();
    const size = this.length - start;
    let lengthBytes = 1;
    for (let rest = size >>> 7; rest > 0; rest >>>= 7) lengthBytes++;
    this.reserve(lengthBytes);
    this.bytes.copyWithin(start + lengthBytes, start, this.length);
    this.length = start;
    this.varint32(size);
    this.length = start + lengthBytes + size;
  }

  /** One element of a packed list. */
  element(low: number, high: number): void {
    this.varint64(low, high);
  }

  toBytes(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

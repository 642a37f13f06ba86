import { Refusal } from "#model/profile-error.ts";

const varintType = 0;
const fixed64Type = 1;
const bytesType = 2;
const fixed32Type = 5;

/** Placeholder for the field of a number that cannot be read: `fieldAt` finds the field. */
export const numberField = "number";

const twoTo32 = 4_294_967_296;

/**
 * A cursor over protobuf bytes. 64-bit numbers are left in two halves, `lo` and `hi`, so that no BigInt is
 * made in a loop; each reading method takes the end of the message it is in. Readers switch on whole tags
 * (field number and wire type), and hand every other tag to `other`.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  pos = 0;
  /** Low and high 32 bits of the last varint. */
  lo = 0;
  hi = 0;
  /** Offset of the last tag. */
  at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Field number * 8 + wire type. Field numbers beyond 28 bits become 0, which no message has. */
  tag(end: number): number {
    const pos = this.pos;
    this.at = pos;
    const byte = this.bytes[pos];
    if (byte < 0x80 && pos < end) {
      this.pos = pos + 1;
      return byte;
    }
    this.longVarint(end);
    return this.hi === 0 && this.lo < 0x80000000 ? this.lo : this.lo & 7;
  }

  /** Reads a varint into `lo` and `hi`. */
  varint(end: number): void {
    const pos = this.pos;
    const byte = this.bytes[pos];
    if (byte < 0x80 && pos < end) {
      this.lo = byte;
      this.hi = 0;
      this.pos = pos + 1;
      return;
    }
    this.longVarint(end);
  }

  private longVarint(end: number): void {
    const bytes = this.bytes;
    let pos = this.pos;
    let lo = 0;
    let hi = 0;
    for (let shift = 0; shift < 70; shift += 7) {
      if (pos >= end) {
        throw new Refusal("malformed", "The bytes end inside a number.", numberField, this.pos);
      }
      const byte = bytes[pos++];
      const bits = byte & 0x7f;
      if (shift < 28) lo |= bits << shift;
      else if (shift === 28) {
        lo |= bits << 28;
        hi = bits >>> 4;
      } else if (shift < 63) hi |= bits << (shift - 32);
      else hi |= bits << 31;
      if (byte < 0x80) {
        this.lo = lo >>> 0;
        this.hi = hi >>> 0;
        this.pos = pos;
        return;
      }
    }
    throw new Refusal("malformed", "A number is longer than 10 bytes.", numberField, this.pos);
  }

  /** The last varint as a signed number; rounded beyond 2^53. */
  signed(): number {
    return this.hi === 0 ? this.lo : (this.hi | 0) * twoTo32 + this.lo;
  }

  /** The last varint as a line or column: 0 where it does not fit 32 bits. */
  int32(): number {
    return this.isInt32() ? this.lo | 0 : 0;
  }

  /** Whether the last varint fits 32 bits as a signed number. */
  isInt32(): boolean {
    return this.hi === (this.lo < 0x80000000 ? 0 : 0xffffffff);
  }

  /** The last varint as a signed BigInt. Not for loops. */
  bigint(): bigint {
    return BigInt.asIntN(64, (BigInt(this.hi) << 32n) | BigInt(this.lo));
  }

  /** Reads the length of the current field and returns the offset of its end. */
  block(end: number, field: string): number {
    this.varint(end);
    if (this.hi !== 0 || this.lo > end - this.pos) this.tooLong(end, field);
    return this.pos + this.lo;
  }

  private tooLong(end: number, field: string): never {
    const left = end - this.pos;
    const message = `${field} claims ${BigInt.asUintN(64, this.bigint())} bytes where ${left} are left.`;
    throw new Refusal("malformed", message, field, this.at);
  }

  /**
   * Any tag that the reader of a message does not handle. Unknown fields are skipped; one with a name in
   * `names` has the wrong wire type. Groups are refused, as in Go's parser.
   */
  other(tag: number, end: number, message: string, names: readonly string[]): void {
    const field = tag >>> 3;
    const type = tag & 7;
    const fieldName = names[field] ?? "";
    const name = fieldName === "" ? message : fieldName;
    if (fieldName !== "") this.wrongType(type, name);
    if (type === varintType) this.varint(end);
    else if (type === bytesType) this.pos = this.block(end, name);
    else if (type === fixed64Type) this.fixed(8, end, name);
    else if (type === fixed32Type) this.fixed(4, end, name);
    else this.wrongType(type, name);
  }

  /** Reads a number of 8 bytes into `lo` and `hi`. */
  fixed64(end: number, name: string): void {
    const { bytes, pos } = this;
    this.fixed(8, end, name);
    this.lo = (bytes[pos] | (bytes[pos + 1] << 8) | (bytes[pos + 2] << 16) | (bytes[pos + 3] << 24)) >>> 0;
    this.hi =
      (bytes[pos + 4] | (bytes[pos + 5] << 8) | (bytes[pos + 6] << 16) | (bytes[pos + 7] << 24)) >>> 0;
  }

  private fixed(size: number, end: number, name: string): void {
    if (end - this.pos < size) throw new Refusal("malformed", `${name} is cut off.`, name, this.at);
    this.pos += size;
  }

  private wrongType(type: number, name: string): never {
    throw new Refusal("malformed", `${name} has the wrong wire type ${type}.`, name, this.at);
  }
}

/** WHATWG Encoding: in every runtime, though not in the es2024 library. */
declare const TextDecoder: new (
  label: "utf-8",
  options: { ignoreBOM: boolean },
) => { decode(bytes: Uint8Array): string };
declare const TextEncoder: new () => { encode(text: string): Uint8Array };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
const encoder = new TextEncoder();

/** Bytes that are not UTF-8 become U+FFFD. */
export function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

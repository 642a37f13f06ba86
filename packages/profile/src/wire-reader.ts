import { Refusal } from "./profile-error.ts";

export const VARINT = 0;
export const FIXED64 = 1;
export const BYTES = 2;
export const FIXED32 = 5;

const BITS_32 = 4_294_967_296;

/**
 * A cursor over protobuf bytes. 64-bit numbers are left in two halves, `lo` and `hi`, so that no BigInt is
 * made in a loop; each reading method takes the end of the message it is in.
 */
export class WireReader {
  readonly bytes: Uint8Array;
  pos = 0;
  /** Low and high 32 bits of the last varint. */
  lo = 0;
  hi = 0;
  /** Field number and wire type of the last tag, and where the tag stood. */
  field = 0;
  type = 0;
  tagAt = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  /** Reads a tag. Field numbers beyond 29 bits become 0, which no message has. */
  tag(end: number): void {
    this.tagAt = this.pos;
    this.varint(end);
    this.type = this.lo & 7;
    this.field = this.hi === 0 ? this.lo >>> 3 : 0;
  }

  /** Reads a varint into `lo` and `hi`. */
  varint(end: number): void {
    const pos = this.pos;
    if (pos < end) {
      const byte = this.bytes[pos]!;
      if (byte < 0x80) {
        this.lo = byte;
        this.hi = 0;
        this.pos = pos + 1;
        return;
      }
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
        throw new Refusal("malformed", "The profile ends inside a number.", "varint", this.pos);
      }
      const byte = bytes[pos++]!;
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
    throw new Refusal("malformed", "A number is longer than 10 bytes.", "varint", this.pos);
  }

  /** Reads the varint of the present field, which must be one. */
  number(end: number, field: string): void {
    if (this.type !== VARINT) this.wrongType(field);
    this.varint(end);
  }

  /** The last varint as a signed number; rounded beyond 2^53. */
  signed(): number {
    return this.hi === 0 ? this.lo : (this.hi | 0) * BITS_32 + this.lo;
  }

  /** The last varint as a line or column: 0 where it does not fit 32 bits. */
  int32(): number {
    const value = this.signed();
    return value === (value | 0) ? value : 0;
  }

  /** The last varint as a signed BigInt. Not for loops. */
  bigint(): bigint {
    return BigInt.asIntN(64, (BigInt(this.hi) << 32n) | BigInt(this.lo));
  }

  /** Reads the length of the present field and returns the offset of its end. */
  block(end: number, field: string): number {
    if (this.type !== BYTES) this.wrongType(field);
    this.varint(end);
    if (this.hi !== 0 || this.lo > end - this.pos) {
      const length = this.hi * BITS_32 + this.lo;
      throw new Refusal(
        "malformed",
        `${field} claims ${length} bytes where ${end - this.pos} are left.`,
        field,
        this.tagAt,
      );
    }
    return this.pos + this.lo;
  }

  /** Steps over the present field, whatever its wire type. Groups are refused, as Go's parser does. */
  skip(end: number, field: string): void {
    switch (this.type) {
      case VARINT:
        this.varint(end);
        return;
      case BYTES:
        this.pos = this.block(end, field);
        return;
      case FIXED64:
        this.fixed(8, end, field);
        return;
      case FIXED32:
        this.fixed(4, end, field);
        return;
      default:
        throw new Refusal("malformed", `${field} has wire type ${this.type}.`, field, this.tagAt);
    }
  }

  private fixed(size: number, end: number, field: string): void {
    if (end - this.pos < size) throw new Refusal("malformed", `${field} is cut off.`, field, this.tagAt);
    this.pos += size;
  }

  wrongType(field: string): never {
    throw new Refusal(
      "malformed",
      `${field} has wire type ${this.type}, which it cannot have.`,
      field,
      this.tagAt,
    );
  }
}

import { Refusal } from "#model/profile-error.ts";
import type { Output } from "#wire/output.ts";
import { encodeText, type WireReader } from "#wire/wire-reader.ts";

/** Strings behind those of the table, as fields of pprof. */
export class AddedStrings {
  readonly fields: Output;
  #next: number;

  constructor(tableLength: number, fields: Output) {
    this.fields = fields;
    this.#next = tableLength;
  }

  indexOf(text: string): number {
    if (text === "") return 0;
    const bytes = encodeText(text);
    return this.copy(bytes, 0, bytes.length);
  }

  /** The index of a copy of bytes[start, end). */
  copy(bytes: Uint8Array, start: number, end: number): number {
    if (start === end) return 0;
    this.fields.varint(stringTag);
    this.fields.varint(end - start);
    this.fields.copy(bytes, start, end);
    return this.#next++;
  }

  /** The name of the address that the reader read last, in the file whose path is path[start, end): its last part, `!`, and the address. */
  ofAddress(wire: WireReader, start: number, end: number): number {
    const { fields } = this;
    const entry = fields.open(stringTag);
    if (end > start) {
      const slash = wire.bytes.subarray(start, end).lastIndexOf(0x2f);
      fields.copy(wire.bytes, start + slash + 1, end);
      fields.varint(0x21);
    }
    fields.hex(wire.hi, wire.lo);
    fields.close(entry);
    return this.#next++;
  }
}

export const stringTag = 0x32;

/** Leaves the request to the general reader. */
export function giveUp(wire: WireReader): never {
  throw new Refusal("invalid", "", "", wire.at);
}

/** Reads an index. One beyond 32 bits becomes the greatest, which no table has. */
export function indexIn(wire: WireReader, end: number): number {
  wire.varint(end);
  return wire.hi === 0 ? wire.lo : 0xffffffff;
}

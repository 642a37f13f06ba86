import { Refusal } from "#model/profile-error.ts";
import { encodeText, type WireReader } from "#wire/wire-reader.ts";

/** Strings behind those of the table. */
export class AddedStrings {
  readonly texts: Uint8Array[] = [];
  readonly #first: number;

  constructor(tableLength: number) {
    this.#first = tableLength;
  }

  indexOf(text: string): number {
    return text === "" ? 0 : this.#first + this.texts.push(encodeText(text)) - 1;
  }
}

/** Leaves the request to the general reader. */
export function giveUp(wire: WireReader): never {
  throw new Refusal("invalid", "", "", wire.at);
}

/** Reads an index. One beyond 32 bits becomes the greatest, which no table has. */
export function indexIn(wire: WireReader, end: number): number {
  wire.varint(end);
  return wire.hi === 0 ? wire.lo : 0xffffffff;
}

import type { Bytes } from "#model/units.ts";
import { decodeStrings } from "#read/strings.ts";
import { decodeText } from "#wire/utf8.ts";

/** A string table that is decoded on demand: most profiles contain no new frame. */
export class LazyStrings {
  readonly length: number;
  readonly #bytes: Uint8Array;
  readonly #spans: Uint32Array;
  readonly #nameBytes: Bytes;
  #all: readonly string[] | undefined;
  readonly #texts = new Map<Uint32Array, readonly string[]>();

  /** `spans`: starts and ends in `bytes`; no string is longer than `nameBytes`. */
  constructor(bytes: Uint8Array, spans: Uint32Array, nameBytes: Bytes) {
    this.length = spans.length / 2;
    this.#bytes = bytes;
    this.#spans = spans;
    this.#nameBytes = nameBytes;
  }

  at(index: number): string | undefined {
    if (index >= this.length) return undefined;
    return decodeText(this.#bytes.subarray(this.#spans[2 * index], this.#spans[2 * index + 1]));
  }

  /** Length of a string, in bytes. */
  lengthAt(index: number): number {
    return this.#spans[2 * index + 1] - this.#spans[2 * index];
  }

  /** Size of all strings in bytes. */
  longest(): number {
    let longest = 0;
    for (let index = 0; index < this.length; index++) longest = Math.max(longest, this.lengthAt(index));
    return longest;
  }

  /** The strings that a column names, the same list each time. */
  textsAt(column: Uint32Array): readonly string[] {
    const cached = this.#texts.get(column);
    if (cached !== undefined) return cached;
    this.#all ??= decodeStrings(this.#bytes, this.#spans, this.#nameBytes).strings;
    // `Array.from` takes ten times as long.
    const texts = new Array<string>(column.length);
    for (let i = 0; i < column.length; i++) texts[i] = this.#all[column[i]];
    this.#texts.set(column, texts);
    return texts;
  }
}

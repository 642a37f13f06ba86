import type { ValueColumn } from "@flamekeep/profile";

const two32 = 2 ** 32;

/** Base64 of the bytes of `words`: little-endian, as every machine that runs Node is. */
export function base64(words: ArrayBufferView): string {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
}

/** The values as little-endian 64-bit words. */
export function wordsOf(column: ValueColumn): ArrayBufferView {
  if (column instanceof BigInt64Array) return column;
  const words = new Uint32Array(2 * column.length);
  for (let at = 0; at < words.length; at += 2) {
    const value = column[at >>> 1]!;
    words[at] = value;
    if (value < 0 || value >= two32) words[at + 1] = Math.floor(value / two32);
  }
  return words;
}

/** The values at `places` as little-endian 64-bit words. */
export function wordsAt(column: ValueColumn, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * places.length);
  writeWords(column, words, places);
  return words;
}

function writeWords(column: ValueColumn, words: Uint32Array, places: Uint32Array): void {
  if (column instanceof BigInt64Array) {
    const halves = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
    for (let at = 0; at < words.length; at += 2) {
      const place = 2 * places[at >>> 1]!;
      words[at] = halves[place]!;
      words[at + 1] = halves[place + 1]!;
    }
    return;
  }
  for (let at = 0; at < words.length; at += 2) {
    const value = column[places[at >>> 1]!]!;
    words[at] = value;
    if (value < 0 || value >= two32) words[at + 1] = Math.floor(value / two32);
  }
}

import type { ValueColumn } from "@flamekeep/profile";

const two32 = 2 ** 32;

/** The values at `places` as little-endian 64-bit words. */
export function wordsAt(column: ValueColumn, places: Uint32Array): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(2 * places.length);
  if (column instanceof BigInt64Array) {
    const halves = new Uint32Array(column.buffer, column.byteOffset, 2 * column.length);
    for (let at = 0; at < words.length; at += 2) {
      const place = 2 * places[at >>> 1]!;
      words[at] = halves[place]!;
      words[at + 1] = halves[place + 1]!;
    }
  } else {
    for (let place = 0; place < places.length; place++) writeWord(words, place, column[places[place]!]!);
  }
  return words;
}

function writeWord(words: Uint32Array, place: number, value: number): void {
  words[2 * place] = value;
  if (value < 0 || value >= two32) words[2 * place + 1] = Math.floor(value / two32);
}

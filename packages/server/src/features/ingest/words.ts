import type { ValueColumn } from "@flamekeep/profile";

const two32 = 2 ** 32;

/** Base64 of the bytes of `words`: little-endian, as every machine that runs Node is. */
export function base64(words: ArrayBufferView): string {
  return Buffer.from(words.buffer, words.byteOffset, words.byteLength).toString("base64");
}

/** All columns one after the other as little-endian 64-bit words. */
export function toWords(columns: readonly ValueColumn[], length: number): Uint32Array {
  const words = new Uint32Array(2 * length * columns.length);
  let at = 0;
  for (const column of columns) {
    if (column instanceof BigInt64Array) {
      words.set(new Uint32Array(column.buffer, column.byteOffset, 2 * length), at);
      at += 2 * length;
      continue;
    }
    for (let i = 0; i < length; i++) {
      const value = column[i]!;
      words[at++] = value >>> 0;
      words[at++] = Math.floor(value / two32) >>> 0;
    }
  }
  return words;
}

export function toBigInts(column: ValueColumn): BigInt64Array {
  return column instanceof BigInt64Array ? column : BigInt64Array.from(column, BigInt);
}

import { encodeText } from "./wire-reader.ts";

/**
 * 64-bit ids of content: texts, frames and stacks have equal ids on every machine and in every release, because
 * they are stored. Two 32-bit lanes that mix differently and are crossed at the end; not for secrets.
 *
 * ```
 * text  = bytes of the UTF-8 form, four to a word, then their number
 * frame = id of the function name, id of the file, line
 * stack = ids of the frames, leaf first, then their number
 * ```
 *
 * An id is two entries of a Uint32Array, low half first: its buffer is a little-endian UInt64 array.
 */
export type ContentIds = Uint32Array<ArrayBuffer>;

/** Signed, so that the lanes stay 32-bit integers for the compiler. */
export const seedLow = 0x9e3779b9 | 0;
export const seedHigh = 0x7f4a7c15;

/** One step of the low lane. */
export function mixLow(lane: number, word: number): number {
  const mixed = Math.imul(lane ^ word, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}

/** One step of the high lane. */
export function mixHigh(lane: number, word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((((lane << 13) | (lane >>> 19)) + (mixed ^ (mixed >>> 17))) | 0, 0x1b873593);
}

/** Combines two lanes and a length into an id, written to `ids[2 * at]` and the entry after it. */
export function finishId(low: number, high: number, length: number, ids: Uint32Array, at: number): void {
  const a = avalanche(low ^ length);
  const b = avalanche((high + a) | 0);
  ids[2 * at] = avalanche(a ^ Math.imul(b, 0x9e3779b1));
  ids[2 * at + 1] = b;
}

function avalanche(word: number): number {
  let mixed = Math.imul(word ^ (word >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return mixed ^ (mixed >>> 16);
}

/** Writes the id of the bytes [from, to) as entry `at`; returns whether all of them are ASCII. */
export function idOfBytes(
  bytes: Uint8Array,
  from: number,
  to: number,
  ids: Uint32Array,
  at: number,
): boolean {
  let low = seedLow;
  let high = seedHigh;
  let seen = 0;
  let i = from;
  for (; i + 4 <= to; i += 4) {
    const word = bytes[i] | (bytes[i + 1] << 8) | (bytes[i + 2] << 16) | (bytes[i + 3] << 24);
    seen |= word;
    low = mixLow(low, word);
    high = mixHigh(high, word);
  }
  let rest = 0;
  for (let shift = 0; i < to; i++, shift += 8) rest |= bytes[i] << shift;
  finishId(mixLow(low, rest), mixHigh(high, rest), to - from, ids, at);
  return ((seen | rest) & 0x80808080) === 0;
}

/** Writes the id of a frame as entry `at`; `name` and `file` begin with the ids of those texts. */
export function idOfFrame(
  name: Uint32Array,
  file: Uint32Array,
  line: number,
  ids: Uint32Array,
  at: number,
): void {
  const low = mixLow(mixLow(mixLow(seedLow, name[0]), file[0]), line);
  const high = mixHigh(mixHigh(mixHigh(seedHigh, name[1]), file[1]), line);
  finishId(low, high, 3, ids, at);
}

const shortText = new Uint8Array(256);

/** Writes the id of a text that is not at hand as bytes as entry `at`. */
export function idOfText(text: string, ids: Uint32Array, at: number): void {
  const { length } = text;
  let seen = length > shortText.length ? 0x80 : 0;
  for (let i = 0; i < length && seen < 0x80; i++) {
    const code = text.charCodeAt(i);
    seen |= code;
    shortText[i] = code;
  }
  // The encoder costs more than a short text; of ASCII its bytes are the character codes.
  const bytes = seen < 0x80 ? shortText : encodeText(text);
  idOfBytes(bytes, 0, seen < 0x80 ? length : bytes.length, ids, at);
}

/** Ids of texts that are not at hand as bytes. */
export function idsOfTexts(texts: readonly string[]): ContentIds {
  const ids = new Uint32Array(texts.length * 2);
  for (let i = 0; i < texts.length; i++) {
    idOfText(texts[i], ids, i);
  }
  return ids;
}

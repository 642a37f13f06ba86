import { Refusal } from "#model/profile-error.ts";
import type { Bytes } from "#model/units.ts";
import { type ContentIds, idOfBytes } from "#wire/content-id.ts";
import { decodeText, encodeText } from "#wire/wire-reader.ts";

/** Longest decoded at once: beyond, a broken byte would make a great many strings be decoded one by one. */
const runBytesMax = 64 * 1024;

/** The string table, and the content ids of its entries. */
export function readStrings(
  bytes: Uint8Array,
  spans: Uint32Array,
  nameBytes: Bytes,
): { strings: string[]; ids: ContentIds; trimmedNames: number } {
  const { strings, trimmedNames } = decodeStrings(bytes, spans, nameBytes);
  return { strings, ids: stringIds(bytes, spans, strings, nameBytes), trimmedNames };
}

/**
 * One call of the decoder costs more than a short string, so neighbouring short strings are
 * decoded together, tags and lengths included, and cut out by offset; that is right exactly when each byte
 * became one character.
 */
export function decodeStrings(
  bytes: Uint8Array,
  spans: Uint32Array,
  nameBytes: Bytes,
): { strings: string[]; trimmedNames: number } {
  const count = spans.length / 2;
  if (spans[1] !== spans[0]) {
    throw new Refusal("invalid", 'string_table[0] is not "".', "string_table", spans[0]);
  }
  const strings = new Array<string>(count).fill("");
  const shortBytes = Math.min(127, nameBytes);
  let trimmedNames = 0;
  let i = 1;
  while (i < count) {
    const next = runEnd(spans, i, count, shortBytes);
    if (next > i + 1) decodeRun(bytes, spans, strings, i, next);
    else if (decodeOne(bytes, spans, strings, i, nameBytes)) trimmedNames++;
    i = next;
  }
  return { strings, trimmedNames };
}

/** Only ASCII bytes are certain to be the UTF-8 form of the decoded string. */
function stringIds(
  bytes: Uint8Array,
  spans: Uint32Array,
  strings: readonly string[],
  nameBytes: Bytes,
): ContentIds {
  const ids = new Uint32Array(spans.length);
  for (let i = 0; i < strings.length; i++) {
    const from = spans[2 * i];
    const to = spans[2 * i + 1];
    if (to - from <= nameBytes && idOfBytes(bytes, from, to, ids, i)) continue;
    const text = encodeText(strings[i]);
    idOfBytes(text, 0, text.length, ids, i);
  }
  return ids;
}

/** Strings under 128 bytes have a tag and a length of one byte each, both ASCII. */
function runEnd(spans: Uint32Array, first: number, count: number, shortBytes: Bytes): number {
  const start = spans[2 * first];
  let i = first;
  let expected = start;
  while (i < count && spans[2 * i] === expected) {
    const end = spans[2 * i + 1];
    if (end - expected > shortBytes || end - start > runBytesMax) break;
    expected = end + 2;
    i++;
  }
  return Math.max(i, first + 1);
}

function decodeRun(bytes: Uint8Array, spans: Uint32Array, strings: string[], from: number, to: number): void {
  const start = spans[2 * from];
  const end = spans[2 * to - 1];
  const text = decodeText(bytes.subarray(start, end));
  if (text.length !== end - start) {
    for (let i = from; i < to; i++) decodeOne(bytes, spans, strings, i, 127);
    return;
  }
  for (let i = from; i < to; i++) strings[i] = text.slice(spans[2 * i] - start, spans[2 * i + 1] - start);
}

/** Returns whether the string was cut to its last `nameBytes` bytes. */
function decodeOne(
  bytes: Uint8Array,
  spans: Uint32Array,
  strings: string[],
  i: number,
  nameBytes: Bytes,
): boolean {
  const end = spans[2 * i + 1];
  let start = spans[2 * i];
  const isLong = end - start > nameBytes;
  if (isLong) {
    start = end - nameBytes;
    while (start < end && (bytes[start] & 0xc0) === 0x80) start++;
  }
  strings[i] = decodeText(bytes.subarray(start, end));
  return isLong;
}

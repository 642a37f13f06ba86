import { GrowableUint32 } from "#memory/growable.ts";
import { Ids, Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { bytesOfLongMax, type ChunkBytes } from "./chunk-bytes.ts";
import { type Layout, readValues, type Slots, type Step } from "./layout.ts";

const slot = { truncated: 0, method: 1, line: 2 } as const;
export const stackSlots: Slots = {
  truncated: slot.truncated,
  "frames.method": slot.method,
  "frames.lineNumber": slot.line,
};

const recentBits = 12;
const recentMax = 1 << recentBits;

/**
 * The stack traces of a chunk as lists of places. A place is a line of a method, numbered in the order in which they come. Stack traces
 * that differ only by instructions within lines, as most of async-profiler do, are one list. List 0 is empty: of stack traces that the chunk
 * does not have.
 */
export class FrameLists {
  /** Method and line. */
  readonly places = new Tuples(2);
  readonly #framesMax: number;
  /** The values of a stack trace: those before its frames, the frames, and those after them. */
  readonly #before: Layout;
  readonly #list: Step | undefined;
  readonly #after: Layout;
  readonly #slots = new Float64Array(3);
  readonly #ids = new Ids();
  /** By number of the id. */
  readonly #listOf = new GrowableUint32(1024);
  /** By list, three words: where it begins and ends, and 1 where the profiler kept the innermost frames only. */
  readonly #spans = new GrowableUint32(1024);
  /** The last list of each hash. */
  readonly #byHash = new Map<number, number>();
  /** The lists, one after the other, leaf first. */
  readonly #frames = new GrowableUint32(16_384);
  /** Places that were looked up last, at their hashes: most frames are of few places. */
  readonly #recentMethods = new Float64Array(recentMax).fill(-0.5);
  readonly #recentLines = new Int32Array(recentMax);
  readonly #recentPlaces = new Uint32Array(recentMax);

  /** @param layout of a stack trace, with `stackSlots` */
  constructor(layout: Layout, { frames }: ReadLimits) {
    this.#framesMax = frames;
    const at = layout.findIndex(({ items }) => items.length > 0);
    const list = at < 0 ? layout.length : at;
    this.#before = layout.slice(0, list);
    this.#list = layout[list];
    this.#after = layout.slice(list + 1);
    this.#addList(0, 0);
  }

  /** The list of a stack trace. */
  find(id: number): number {
    const place = this.#ids.find(id);
    return place < 0 ? 0 : this.#listOf.array[place];
  }

  /** The places of all lists. */
  get frames(): Uint32Array {
    return this.#frames.array;
  }

  /** Where the places of a list begin, leaf first. */
  start(list: number): number {
    return this.#spans.array[3 * list];
  }

  end(list: number): number {
    return this.#spans.array[3 * list + 1];
  }

  isTruncated(list: number): boolean {
    return this.#spans.array[3 * list + 2] !== 0;
  }

  /** Reads the stack trace at the cursor. Of several with one id, the last counts. */
  keep(id: number, bytes: ChunkBytes): void {
    const from = this.#frames.length;
    this.#slots[slot.truncated] = 0;
    readValues(bytes, this.#before, this.#slots);
    if (this.#list !== undefined) this.#readFrames(bytes, this.#list);
    readValues(bytes, this.#after, this.#slots);
    const isTruncated = this.#frames.length > from && this.#slots[slot.truncated] !== 0;
    const list = this.#addList(from, Number(isTruncated));
    const place = this.#ids.intern(id);
    if (place === this.#listOf.length) this.#listOf.push(list);
    else this.#listOf.array[place] = list;
  }

  /** The list of the places from `from` on: an earlier one that is equal, or a new one. */
  #addList(from: number, isTruncated: number): number {
    const to = this.#frames.length;
    const { array } = this.#frames;
    let hash = isTruncated;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ array[at], 0x9e3779b1) ^ (hash >>> 15);
    const known = this.#byHash.get(hash);
    if (known !== undefined && this.#isEqual(known, from, isTruncated)) {
      this.#frames.length = from;
      return known;
    }
    const list = this.#spans.length / 3;
    for (const word of [from, to, isTruncated]) this.#spans.push(word);
    this.#byHash.set(hash, list);
    return list;
  }

  #isEqual(list: number, from: number, isTruncated: number): boolean {
    const { array, length } = this.#frames;
    const start = this.start(list);
    if (this.end(list) - start !== length - from || this.#spans.array[3 * list + 2] !== isTruncated)
      return false;
    for (let at = from; at < length; at++) if (array[at] !== array[start + at - from]) return false;
    return true;
  }

  #readFrames(bytes: ChunkBytes, { items, numbers }: Step): void {
    const count = bytes.count();
    if (this.#frames.length + count > this.#framesMax) throw tooManyFrames(this.#framesMax);
    this.#frames.reserve(count);
    const method = numbers?.indexOf(slot.method) ?? -1;
    const line = numbers?.indexOf(slot.line) ?? -1;
    if (numbers !== undefined && method >= 0 && line > method) {
      const skips = { before: method, between: line - method - 1, behind: numbers.length - line - 1 };
      this.#readNumbers(bytes, count, skips);
      return;
    }
    for (let left = count; left > 0; left--) {
      readValues(bytes, items, this.#slots);
      this.#frames.push(this.#placeOf(this.#slots[slot.method], this.#slots[slot.line] | 0));
    }
  }

  /**
   * Frames that are compressed numbers, the line behind the method: most bytes of a recording. Numbers of one or two bytes are read
   * here, because a call for each of them takes several times as long.
   */
  #readNumbers(
    cursor: ChunkBytes,
    count: number,
    { before, between, behind }: { before: number; between: number; behind: number },
  ): void {
    const { bytes, end } = cursor;
    const frames = this.#frames.array;
    let { pos } = cursor;
    let { length } = this.#frames;
    for (let left = count; left > 0 && pos < end; left--) {
      pos = skipNumbers(bytes, pos, before);
      let method = bytes[pos++];
      if (method >= 0x80 && bytes[pos] < 0x80) method = (method & 0x7f) | (bytes[pos++] << 7);
      else if (method >= 0x80) {
        method = cursor.longAt(pos - 1);
        pos = cursor.pos;
      }
      pos = skipNumbers(bytes, pos, between);
      let line = bytes[pos++];
      if (line >= 0x80 && bytes[pos] < 0x80) line = (line & 0x7f) | (bytes[pos++] << 7);
      else if (line >= 0x80) {
        line = cursor.longAt(pos - 1) | 0;
        pos = cursor.pos;
      }
      pos = skipNumbers(bytes, pos, behind);
      if (pos <= end) frames[length++] = this.#placeOf(method, line);
    }
    this.#frames.length = length;
    cursor.pos = pos;
    cursor.skip(0);
  }

  #placeOf(method: number, line: number): number {
    const recent = (Math.imul(method | 0, 0x9e3779b1) + Math.imul(line, 0x85ebca6b)) >>> (32 - recentBits);
    if (this.#recentMethods[recent] !== method || this.#recentLines[recent] !== line) {
      this.#recentMethods[recent] = method;
      this.#recentLines[recent] = line;
      this.#recentPlaces[recent] = this.places.intern(method, Math.max(0, line));
    }
    return this.#recentPlaces[recent];
  }
}

/** Where compressed numbers end. */
function skipNumbers(bytes: Uint8Array, pos: number, count: number): number {
  let at = pos;
  for (let left = count; left > 0; left--) {
    if (bytes[at] < 0x80) {
      at++;
      continue;
    }
    const last = at + bytesOfLongMax - 1;
    while (bytes[at] >= 0x80 && at < last) at++;
    at++;
  }
  return at;
}

function tooManyFrames(max: number): Refusal {
  const message = `The stack traces of the recording have more than ${max} frames.`;
  return new Refusal("too_large", message, "frames", max);
}

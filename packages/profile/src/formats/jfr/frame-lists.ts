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

/** The stack traces of a chunk as lists of places. A place is a line of a method, numbered in the order in which they come. */
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
  /** By stack trace, three words: where its list begins and ends, and 1 where the profiler kept the innermost frames only. */
  readonly #spans = new GrowableUint32(1024);
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
  }

  /** The number of a stack trace, -1 if the chunk does not have it. */
  find(id: number): number {
    return this.#ids.find(id);
  }

  /** The places of all stack traces. */
  get frames(): Uint32Array {
    return this.#frames.array;
  }

  /** Where the places of a stack trace begin, leaf first. */
  start(stackTrace: number): number {
    return this.#spans.array[3 * stackTrace];
  }

  end(stackTrace: number): number {
    return this.#spans.array[3 * stackTrace + 1];
  }

  isTruncated(stackTrace: number): boolean {
    return this.#spans.array[3 * stackTrace + 2] !== 0;
  }

  /** Reads the stack trace at the cursor. Of several with one id, the last counts. */
  keep(id: number, bytes: ChunkBytes): void {
    const from = this.#frames.length;
    this.#slots[slot.truncated] = 0;
    readValues(bytes, this.#before, this.#slots);
    if (this.#list !== undefined) this.#readFrames(bytes, this.#list);
    readValues(bytes, this.#after, this.#slots);
    const to = this.#frames.length;
    const stackTrace = this.#ids.intern(id);
    const at = 3 * stackTrace;
    if (at === this.#spans.length) for (let word = 0; word < 3; word++) this.#spans.push(0);
    this.#spans.array[at] = from;
    this.#spans.array[at + 1] = to;
    this.#spans.array[at + 2] = to > from ? this.#slots[slot.truncated] : 0;
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
   * Frames that are compressed numbers, the line behind the method: most bytes of a recording. Numbers of one byte are read here,
   * because a call for each of them takes several times as long.
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
      if (method >= 0x80) {
        method = cursor.longAt(pos - 1);
        pos = cursor.pos;
      }
      pos = skipNumbers(bytes, pos, between);
      let line = bytes[pos++];
      if (line >= 0x80) {
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

import type { StackIds, StackTable } from "@flamekeep/profile";
import { free } from "#memory/free.ts";
import { lengthBytes } from "#store/column/client/row-binary.ts";

/**
 * New stacks on their way from a thread to the store. The engine takes eight bytes a frame; packed they are one to three, and each
 * insert unpacks its own part.
 *
 * ```
 * packed = start of every row (18 bytes), number of frames (4), bytes of all rows (4), ids of the frames (8 each), stacks
 * stack  = id (8), depth, number of each frame, leaf first     depth and numbers as LEB128
 * row    = start of every row, id, depth, id of each frame     RowBinary
 * ```
 */
export interface PackedStacks {
  readonly packed: Uint8Array<ArrayBuffer>;
  /** Indexes into the table's frames: those of the stacks, in the order of their first use. */
  readonly frames: Uint32Array;
}

/** Bytes of the organization and day that begin every row. */
export const startBytes = 18;
const idBytes = 8;
const headerBytes = startBytes + 8;

/** @param places the stacks to be packed */
export function packStacks(
  rowStart: Uint8Array,
  { frames, frame, start }: StackTable,
  { stackIds, frameIds }: StackIds,
  places: readonly number[],
): PackedStacks {
  const { numbers, used, packedBytes, rowBytes } = numberFrames(frame, start, frames.length, places);
  const packed = new Uint8Array(headerBytes + idBytes * used.length + packedBytes);
  const view = new DataView(packed.buffer);
  packed.set(rowStart);
  view.setUint32(startBytes, used.length, true);
  view.setUint32(startBytes + 4, rowBytes, true);
  let at = headerBytes;
  for (let i = 0; i < used.length; i++, at += idBytes) writeId(view, at, frameIds, used[i]!);
  for (const place of places) {
    writeId(view, at, stackIds, place);
    const end = start[place + 1]!;
    at = writeNumber(packed, at + idBytes, end - start[place]!);
    for (let j = start[place]!; j < end; j++) at = writeNumber(packed, at, numbers[frame[j]!]! - 1);
  }
  return { packed, frames: used };
}

/** Numbers frames from 1 in the order of their first use; 0 for those that no stack has. */
function numberFrames(frame: Uint32Array, start: Uint32Array, frames: number, places: readonly number[]) {
  const numbers = new Uint32Array(frames);
  const used = new Uint32Array(frames);
  let count = 0;
  let packedBytes = 0;
  let rowBytes = 0;
  for (const place of places) {
    const depth = start[place + 1]! - start[place]!;
    packedBytes += idBytes + lengthBytes(depth);
    rowBytes += stackBytes(depth);
    for (let j = start[place]!; j < start[place + 1]!; j++) {
      const index = frame[j]!;
      if (numbers[index] === 0) {
        used[count++] = index;
        numbers[index] = count;
      }
      packedBytes += lengthBytes(numbers[index]! - 1);
    }
  }
  return { numbers, used: used.subarray(0, count), packedBytes, rowBytes };
}

function writeId(view: DataView, at: number, ids: Uint32Array, place: number): void {
  view.setUint32(at, ids[2 * place]!, true);
  view.setUint32(at + 4, ids[2 * place + 1]!, true);
}

function writeNumber(bytes: Uint8Array, at: number, value: number): number {
  let place = at;
  let rest = value;
  for (; rest >= 0x80; rest >>>= 7) bytes[place++] = (rest & 0x7f) | 0x80;
  bytes[place++] = rest;
  return place;
}

function stackBytes(depth: number): number {
  return startBytes + idBytes + lengthBytes(depth) + idBytes * depth;
}

/**
 * Unpacks stacks, one insert of at most about `bytesMax` after the other. Every row stays whole, and none needs the others. The next
 * part overwrites the memory: each part in memory of its own would be collected, which takes longer than the copies.
 */
export function* stackParts(all: readonly Uint8Array[], bytesMax: number): Generator<Buffer<ArrayBuffer>> {
  const uploads = all.filter(({ length }) => length > 0).map((packed) => new Unpacking(packed));
  let left = uploads.reduce((sum, { rowBytes }) => sum + rowBytes, 0);
  let memory = Buffer.alloc(0);
  let at = 0;
  for (const upload of uploads) {
    while (!upload.isAtEnd) {
      if (at === 0) memory = withRoom(memory, Math.min(left, Math.max(bytesMax, upload.nextBytes())));
      const end = upload.unpack(memory, at);
      left -= end - at;
      at = end;
      if (upload.isAtEnd) continue;
      yield memory.subarray(0, at);
      at = 0;
    }
  }
  if (at > 0) yield memory.subarray(0, at);
  free(memory);
}

/** The part of the memory that has so many bytes, or larger memory. */
function withRoom(memory: Buffer<ArrayBuffer>, bytes: number): Buffer<ArrayBuffer> {
  if (memory.buffer.byteLength >= bytes) return Buffer.from(memory.buffer, 0, bytes);
  free(memory);
  return Buffer.allocUnsafeSlow(bytes);
}

/** The stacks of an upload, unpacked from the first to the last. */
class Unpacking {
  readonly rowBytes: number;
  readonly #rowStart: Uint8Array;
  readonly #packed: Uint8Array;
  /** Two halves an id, low first. */
  readonly #frameIds: Uint32Array;
  #at: number;

  constructor(packed: Uint8Array) {
    const view = new DataView(packed.buffer, packed.byteOffset);
    const frames = view.getUint32(startBytes, true);
    this.#at = headerBytes + idBytes * frames;
    this.#packed = packed;
    this.#rowStart = packed.subarray(0, startBytes);
    this.rowBytes = view.getUint32(startBytes + 4, true);
    // A copy, because the words are not aligned.
    this.#frameIds = new Uint32Array(packed.slice(headerBytes, this.#at).buffer);
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#packed.length;
  }

  /** Size of the next row. */
  nextBytes(): number {
    return stackBytes(this.#number(this.#at + idBytes).value);
  }

  /** Writes the next rows from `at` on, as far as there is room. Returns where they end. */
  unpack(rows: Buffer, at: number): number {
    const view = new DataView(rows.buffer, rows.byteOffset, rows.length);
    let end = at;
    while (!this.isAtEnd) {
      const depth = this.#number(this.#at + idBytes);
      const rowEnd = end + stackBytes(depth.value);
      if (rowEnd > rows.length) break;
      rows.set(this.#rowStart, end);
      rows.set(this.#packed.subarray(this.#at, depth.end), end + startBytes);
      this.#at = this.#unpackFrames(view, rowEnd - idBytes * depth.value, rowEnd, depth.end);
      end = rowEnd;
    }
    return end;
  }

  #unpackFrames(view: DataView, from: number, to: number, packedFrom: number): number {
    const packed = this.#packed;
    const ids = this.#frameIds;
    let place = packedFrom;
    for (let at = from; at < to; at += idBytes) {
      let byte = packed[place++]!;
      let number = byte & 0x7f;
      for (let shift = 7; byte >= 0x80; shift += 7) {
        byte = packed[place++]!;
        number |= (byte & 0x7f) << shift;
      }
      view.setUint32(at, ids[2 * number]!, true);
      view.setUint32(at + 4, ids[2 * number + 1]!, true);
    }
    return place;
  }

  #number(at: number): { readonly value: number; readonly end: number } {
    let value = 0;
    for (let place = at, shift = 0; ; shift += 7) {
      const byte = this.#packed[place++]!;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return { value, end: place };
    }
  }
}

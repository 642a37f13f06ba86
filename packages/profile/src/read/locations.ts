import { type GrowableUint32, halvesOf, scratch } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LocationColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { IdIndex } from "./id-index.ts";

export const locationFields = [
  "",
  "location.id",
  "location.mapping_id",
  "location.address",
  "location.line",
  "location.is_folded",
];
export const lineFields = ["", "location.line.function_id", "location.line.line", "location.line.column"];

export interface References {
  readonly functions: IdIndex;
  readonly mappings: IdIndex;
  /** Index of the function of truncated frames: see `withTruncatedFrame`. */
  readonly truncatedFunction: number;
}

export function readLocations(
  wire: WireReader,
  spans: Uint32Array,
  references: References,
  limits: ReadLimits,
): { locations: LocationColumns; index: IdIndex; trimmedDepth: number; linesLost: number } {
  const length = spans.length / 2;
  const reader = new LocationReader(wire, length, references);
  const lineStart = new Uint32Array(length + 1);
  let trimmedDepth = 0;
  for (let i = 0; i < length; i++) {
    const start = spans[2 * i];
    const end = spans[2 * i + 1];
    reader.read(i, start, end);
    if (cutLines(reader.cells, lineStart[i], limits.depth, references.truncatedFunction)) trimmedDepth++;
    lineStart[i + 1] = reader.cells.length / cellsPerLine;
    if (lineStart[i + 1] > limits.lines) refuseLines(limits.lines, start);
  }
  const { id, mapping, address, isFolded } = reader;
  const index = new IdIndex(id, "location", spans, scratch.locations);
  const locations = { length, id, mapping, address, isFolded, lineStart, ...splitCells(reader.cells) };
  return { locations, index, trimmedDepth, linesLost: reader.linesLost };
}

/** Index of functions, line, column. */
export const cellsPerLine = 3;

class LocationReader {
  /** Lines beyond 32 bits. */
  linesLost = 0;
  readonly cells: GrowableUint32;
  readonly id: BigUint64Array<ArrayBuffer>;
  readonly address: BigUint64Array<ArrayBuffer>;
  readonly mapping: Int32Array;
  readonly isFolded: Uint8Array;
  private readonly wire: WireReader;
  private readonly references: References;
  private readonly ids: Uint32Array;
  private readonly addresses: Uint32Array;

  constructor(wire: WireReader, length: number, references: References) {
    this.wire = wire;
    this.references = references;
    this.cells = scratch.lines.clear(length * cellsPerLine);
    // One allocation for all columns: of a small profile, allocations are most of the time.
    const memory = new ArrayBuffer(length * 21);
    this.id = new BigUint64Array(memory, 0, length);
    this.address = new BigUint64Array(memory, length * 8, length);
    this.mapping = new Int32Array(memory, length * 16, length).fill(-1);
    this.isFolded = new Uint8Array(memory, length * 20, length);
    this.ids = halvesOf(this.id);
    this.addresses = halvesOf(this.address);
  }

  private addLine(fn: number, line: number, column: number): void {
    const cells = this.cells;
    const length = cells.length;
    if (length + cellsPerLine > cells.array.length) cells.reserve(cellsPerLine);
    const array = cells.array;
    array[length] = fn;
    array[length + 1] = line;
    array[length + 2] = column;
    cells.length = length + cellsPerLine;
  }

  read(i: number, start: number, end: number): void {
    const { wire, ids, addresses, mapping, isFolded, references } = this;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) {
        wire.varint(end);
        ids[2 * i] = wire.lo;
        ids[2 * i + 1] = wire.hi;
      } else if (tag === 0x10) {
        wire.varint(end);
        // Go treats a missing mapping as no mapping.
        mapping[i] = references.mappings.find(wire.lo, wire.hi);
      } else if (tag === 0x18) {
        wire.varint(end);
        addresses[2 * i] = wire.lo;
        addresses[2 * i + 1] = wire.hi;
      } else if (tag === 0x22) this.readLine(end);
      else if (tag === 0x28) {
        wire.varint(end);
        isFolded[i] = wire.lo !== 0 || wire.hi !== 0 ? 1 : 0;
      } else wire.other(tag, end, "location", locationFields);
    }
  }

  private readLine(outer: number): void {
    const { wire, references } = this;
    const at = wire.at;
    const end = wire.block(outer, "location.line");
    let fn = -1;
    let line = 0;
    let column = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) {
        wire.varint(end);
        fn = references.functions.find(wire.lo, wire.hi);
      } else if (tag === 0x10) {
        wire.varint(end);
        line = wire.int32();
        if (!wire.isInt32()) this.linesLost++;
      } else if (tag === 0x18) {
        wire.varint(end);
        column = wire.int32();
      } else wire.other(tag, end, "location.line", lineFields);
    }
    if (fn < 0) {
      const message = "A line of a location names a function that is not in the profile.";
      throw new Refusal("invalid", message, "location.line.function_id", at);
    }
    this.addLine(fn, line, column);
  }
}

/** If a location has more lines than a stack may be deep, replaces the innermost with one; returns whether it did. */
export function cutLines(
  cells: GrowableUint32,
  start: number,
  depth: number,
  truncatedFunction: number,
): boolean {
  const excess = cells.length / cellsPerLine - start - depth;
  if (excess <= 0) return false;
  cells.array.copyWithin(start * cellsPerLine, (start + excess) * cellsPerLine, cells.length);
  cells.length -= excess * cellsPerLine;
  cells.array.fill(0, start * cellsPerLine, (start + 1) * cellsPerLine);
  cells.array[start * cellsPerLine] = truncatedFunction;
  return true;
}

function refuseLines(max: number, offset: number): never {
  throw new Refusal("too_large", `The locations have more than ${max} lines.`, "lines", offset);
}

export function splitCells(cells: GrowableUint32): Pick<LocationColumns, "lineFunction" | "line" | "column"> {
  const count = cells.length / cellsPerLine;
  const lineFunction = new Uint32Array(count);
  const line = new Int32Array(count);
  const column = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    lineFunction[i] = cells.array[cellsPerLine * i];
    line[i] = cells.array[cellsPerLine * i + 1];
    column[i] = cells.array[cellsPerLine * i + 2];
  }
  return { lineFunction, line, column };
}

import { GrowableUint32 } from "./growable.ts";
import { IdIndex } from "./id-index.ts";
import type { ReadLimits } from "./limits.ts";
import type { LocationColumns } from "./profile.ts";
import { Refusal } from "./profile-error.ts";
import { halvesOf } from "./read-tables.ts";
import type { WireReader } from "./wire-reader.ts";

interface Lines {
  /** Index of functions, line, column: three entries a line. */
  readonly cells: GrowableUint32;
  trimmed: number;
}

export function readLocations(
  wire: WireReader,
  spans: Uint32Array,
  known: { functions: IdIndex; mappings: IdIndex },
  limits: ReadLimits,
): { locations: LocationColumns; index: IdIndex; trimmedDepth: number } {
  const length = spans.length / 2;
  const id = new BigUint64Array(length);
  const address = new BigUint64Array(length);
  const mapping = new Int32Array(length).fill(-1);
  const isFolded = new Uint8Array(length);
  const lineStart = new Uint32Array(length + 1);
  const lines: Lines = { cells: new GrowableUint32(length * 4), trimmed: 0 };
  const ids = halvesOf(id);
  const addresses = halvesOf(address);
  for (let i = 0; i < length; i++) {
    const end = spans[2 * i + 1]!;
    wire.pos = spans[2 * i]!;
    while (wire.pos < end) {
      wire.tag(end);
      switch (wire.field) {
        case 1:
          wire.number(end, "location.id");
          ids[2 * i] = wire.lo;
          ids[2 * i + 1] = wire.hi;
          break;
        case 2:
          wire.number(end, "location.mapping_id");
          // Go takes a mapping that is not there as none.
          mapping[i] = known.mappings.find(wire.lo, wire.hi);
          break;
        case 3:
          wire.number(end, "location.address");
          addresses[2 * i] = wire.lo;
          addresses[2 * i + 1] = wire.hi;
          break;
        case 4:
          readLine(wire, end, known.functions, lines.cells);
          break;
        case 5:
          wire.number(end, "location.is_folded");
          isFolded[i] = wire.lo !== 0 || wire.hi !== 0 ? 1 : 0;
          break;
        default:
          wire.skip(end, "location");
      }
    }
    closeLines(lines, lineStart, i, limits, end);
  }
  const index = new IdIndex(id, "location", spans);
  const columns = { length, id, mapping, address, isFolded, lineStart, ...splitCells(lines.cells) };
  return { locations: columns, index, trimmedDepth: lines.trimmed };
}

function readLine(wire: WireReader, outer: number, functions: IdIndex, cells: GrowableUint32): void {
  const end = wire.block(outer, "location.line");
  const at = wire.tagAt;
  let functionIndex = -1;
  let line = 0;
  let column = 0;
  while (wire.pos < end) {
    wire.tag(end);
    if (wire.field === 1) {
      wire.number(end, "location.line.function_id");
      functionIndex = functions.find(wire.lo, wire.hi);
    } else if (wire.field === 2) {
      wire.number(end, "location.line.line");
      line = wire.int32();
    } else if (wire.field === 3) {
      wire.number(end, "location.line.column");
      column = wire.int32();
    } else wire.skip(end, "location.line");
  }
  if (functionIndex < 0) {
    const message = "A line of a location names a function that is not in the profile.";
    throw new Refusal("invalid", message, "location.line.function_id", at);
  }
  cells.push(functionIndex);
  cells.push(line);
  cells.push(column);
}

/** Ends location i; of one with more lines than a stack may be deep, the innermost are dropped. */
function closeLines(
  lines: Lines,
  lineStart: Uint32Array,
  i: number,
  limits: ReadLimits,
  offset: number,
): void {
  const cells = lines.cells;
  const start = lineStart[i]!;
  const excess = cells.length / 3 - start - limits.depth;
  if (excess > 0) {
    cells.array.copyWithin(start * 3, (start + excess) * 3, cells.length);
    cells.length -= excess * 3;
    lines.trimmed++;
  }
  lineStart[i + 1] = cells.length / 3;
  if (cells.length / 3 > limits.lines) {
    const message = `The locations have more than ${limits.lines} lines.`;
    throw new Refusal("too_large", message, "lines", offset);
  }
}

function splitCells(cells: GrowableUint32): Pick<LocationColumns, "lineFunction" | "line" | "column"> {
  const count = cells.length / 3;
  const lineFunction = new Uint32Array(count);
  const line = new Int32Array(count);
  const column = new Int32Array(count);
  for (let i = 0; i < count; i++) {
    lineFunction[i] = cells.array[3 * i]!;
    line[i] = cells.array[3 * i + 1]!;
    column[i] = cells.array[3 * i + 2]!;
  }
  return { lineFunction, line, column };
}

import { type GrowableUint32, halvesOf, scratch } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { FunctionColumns, LocationColumns, MappingColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { cellsPerLine, cutLines, splitCells } from "#read/locations.ts";
import type { EntryReader } from "./entries.ts";

export const frameTypeKey = "profile.frame.type";

/** The tables that locations refer to. */
interface Referred {
  readonly mappings: MappingColumns;
  readonly functions: FunctionColumns;
}

export function readLocations(entries: EntryReader, limits: ReadLimits, { mappings, functions }: Referred) {
  const length = entries.lengthOf("location");
  const { wire } = entries;
  const id = new BigUint64Array(length);
  const address = new BigUint64Array(length);
  const halves = halvesOf(address);
  const mapping = new Int32Array(length);
  const lineStart = new Uint32Array(length + 1);
  const frameTypes = new Array<string>(length).fill("");
  const cells = scratch.lines.clear(length * cellsPerLine);
  const kernel = new KernelFunctions(functions, mappings);
  let [linesLost, cutLocations] = [0, 0];
  for (let i = 0; i < length; i++) {
    id[i] = BigInt(i + 1);
    mapping[i] = -1;
    entries.each("location", i, (tag, end) => {
      if (tag === 0x08) mapping[i] = entries.index(end, "mapping") || -1;
      else if (tag === 0x10) {
        wire.varint(end);
        halves[2 * i] = wire.lo;
        halves[2 * i + 1] = wire.hi;
      } else if (tag === 0x1a) linesLost += readLine(entries, wire.block(end, "location.lines"), cells);
      else if (tag === 0x22 || tag === 0x20) {
        [frameTypes[i]] = entries.attributes(tag, end, [frameTypeKey]) as [string];
      } else return false;
      return true;
    });
    if (frameTypes[i] === "kernel") kernel.place(cells, lineStart[i], mapping[i]);
    // `withTruncatedFrame` puts the truncated frame behind all functions, whose number is not certain yet.
    if (cutLines(cells, lineStart[i], limits.depth, truncatedFunction)) cutLocations++;
    lineStart[i + 1] = cells.length / cellsPerLine;
    if (lineStart[i + 1] > limits.lines) {
      throw new Refusal("too_large", `The locations have more than ${limits.lines} lines.`, "lines", wire.at);
    }
  }
  const all = kernel.columns();
  for (let at = 0; at < cells.length; at += cellsPerLine) {
    if (cells.array[at] === truncatedFunction) cells.array[at] = all.length;
  }
  const isFolded = new Uint8Array(length);
  const locations: LocationColumns = {
    length,
    id,
    mapping,
    address,
    isFolded,
    lineStart,
    ...splitCells(cells),
  };
  return { locations, functions: all, frameTypes, linesLost, cutLocations };
}

const truncatedFunction = 0xffffffff;

/** Returns 1 if the line does not fit 32 bits. */
function readLine(entries: EntryReader, end: number, cells: GrowableUint32): 0 | 1 {
  const { wire } = entries;
  let [fn, line, column] = [0, 0, 0];
  let isLost: 0 | 1 = 0;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === 0x08) fn = entries.index(end, "function");
    else if (tag === 0x10) {
      wire.varint(end);
      line = wire.int32();
      if (!wire.isInt32()) isLost = 1;
    } else if (tag === 0x18) {
      wire.varint(end);
      column = wire.int32();
    } else wire.other(tag, end, "line", []);
  }
  if (entries.lengthOf("function") === 0) {
    throw new Refusal(
      "invalid",
      "A location has a line, and the function table is empty.",
      "function_table",
      wire.at,
    );
  }
  cells.push(fn);
  cells.push(line);
  cells.push(column);
  return isLost;
}

/** Functions of the kernel have no source file: they get the name of its binary, so that frames show what they belong to. */
class KernelFunctions {
  readonly #functions: FunctionColumns;
  readonly #mappings: MappingColumns;
  /** By function and file: the copy of the function. */
  readonly #copies = new Map<string, number>();
  readonly #originals: number[] = [];
  readonly #files: number[] = [];

  constructor(functions: FunctionColumns, mappings: MappingColumns) {
    this.#functions = functions;
    this.#mappings = mappings;
  }

  /** Replaces the functions of the lines from `start` on. */
  place(cells: GrowableUint32, start: number, mapping: number): void {
    const file = mapping < 0 ? 0 : this.#mappings.file[mapping];
    if (file === 0) return;
    for (let at = start * cellsPerLine; at < cells.length; at += cellsPerLine) {
      const fn = cells.array[at];
      if (this.#functions.file[fn] === 0) cells.array[at] = this.#copyOf(fn, file);
    }
  }

  #copyOf(fn: number, file: number): number {
    const key = `${fn} ${file}`;
    const known = this.#copies.get(key);
    if (known !== undefined) return known;
    const copy = this.#functions.length + this.#originals.push(fn) - 1;
    this.#files.push(file);
    this.#copies.set(key, copy);
    return copy;
  }

  columns(): FunctionColumns {
    const { length, id, name, systemName, file, startLine } = this.#functions;
    const copies = this.#originals;
    if (copies.length === 0) return this.#functions;
    const longer = (from: Uint32Array, more: readonly number[]) => {
      const column = new Uint32Array(length + more.length);
      column.set(from);
      column.set(more, length);
      return column;
    };
    const copied = (from: Uint32Array) =>
      longer(
        from,
        copies.map((fn) => from[fn]),
      );
    const ids = new BigUint64Array(length + copies.length);
    ids.set(id);
    for (let at = length; at < ids.length; at++) ids[at] = BigInt(at + 1);
    return {
      length: ids.length,
      id: ids,
      name: copied(name),
      systemName: copied(systemName),
      file: longer(file, this.#files),
      startLine: Int32Array.from(copied(Uint32Array.from(startLine))),
    };
  }
}

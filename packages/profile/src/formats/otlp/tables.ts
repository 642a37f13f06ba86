import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { FunctionColumns, LocationColumns, MappingColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import { DepthLimit } from "#read/depth-limit.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import type { AttributeReader } from "./attributes.ts";
import { EntryReader } from "./entries.ts";
import { readIndexes } from "./layout.ts";
import { readLocations } from "./locations.ts";
import type { OtlpRequest } from "./request.ts";

/**
 * The tables of the dictionary as columns of a profile. An entry's index is its index in the columns, and its id is one more. Entry 0
 * means "none".
 */
export interface TableColumns {
  readonly mappings: MappingColumns;
  readonly functions: FunctionColumns;
  readonly locations: LocationColumns;
  /** By location: its frame type, "" where it has none. */
  readonly frameTypes: readonly string[];
  /** The locations of stack i: location[start[i]] .. location[start[i + 1] - 1], leaf first. */
  readonly stacks: {
    readonly start: Uint32Array;
    readonly location: Uint32Array;
    readonly isCut: Uint8Array;
  };
  readonly depth: DepthLimit;
  /** Locations whose lines were cut. */
  readonly cutLocations: number;
  readonly linesLost: number;
}

const buildIdKeys = [
  "process.executable.build_id.gnu",
  "process.executable.build_id.go",
  "process.executable.build_id.htlhash",
];

export interface TableContext {
  readonly attributes: AttributeReader;
  /** The index of a text in the strings of the profile. */
  readonly indexOf: (text: string) => number;
  readonly limits: ReadLimits;
}

export function readTables(request: OtlpRequest, context: TableContext): TableColumns {
  const entries = new EntryReader(request, context.attributes);
  const mappings = readMappings(entries, context);
  const read = readFunctions(entries);
  const located = readLocations(entries, context.limits, { mappings, functions: read.columns });
  const depth = new DepthLimit(located.locations, context.limits);
  return {
    ...located,
    mappings,
    stacks: readStacks(entries, depth, context.limits),
    depth,
    linesLost: read.linesLost + located.linesLost,
  };
}

function readMappings(entries: EntryReader, { indexOf }: TableContext): MappingColumns {
  const length = entries.lengthOf("mapping");
  const { wire } = entries;
  const wide = () => new BigUint64Array(length);
  const [id, start, limit, offset] = [wide(), wide(), wide(), wide()];
  const file = new Uint32Array(length);
  const buildId = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    id[i] = BigInt(i + 1);
    entries.each("mapping", i, (tag, end) => {
      const column = [undefined, start, limit, offset][tag >>> 3];
      if (column !== undefined && (tag & 7) === 0) column[i] = unsigned(wire, end);
      else if (tag === 0x20) file[i] = entries.index(end, "string");
      else if (tag === 0x2a || tag === 0x28) {
        const text = entries.attributes(tag, end, buildIdKeys).find((each) => each !== "");
        if (text !== undefined) buildId[i] = indexOf(text);
      } else return false;
      return true;
    });
  }
  return { length, id, start, limit, offset, file, buildId, flags: new Uint8Array(length) };
}

function unsigned(wire: WireReader, end: number): bigint {
  wire.varint(end);
  return BigInt.asUintN(64, wire.bigint());
}

function readFunctions(entries: EntryReader): { columns: FunctionColumns; linesLost: number } {
  const length = entries.lengthOf("function");
  const { wire } = entries;
  const id = new BigUint64Array(length);
  const columns = () => new Uint32Array(length);
  const [name, systemName, file] = [columns(), columns(), columns()];
  const startLine = new Int32Array(length);
  let linesLost = 0;
  for (let i = 0; i < length; i++) {
    id[i] = BigInt(i + 1);
    entries.each("function", i, (tag, end) => {
      if (tag === 0x08) name[i] = entries.index(end, "string");
      else if (tag === 0x10) systemName[i] = entries.index(end, "string");
      else if (tag === 0x18) file[i] = entries.index(end, "string");
      else if (tag === 0x20) {
        wire.varint(end);
        startLine[i] = wire.int32();
        if (!wire.isInt32()) linesLost++;
      } else return false;
      return true;
    });
  }
  return { columns: { length, id, name, systemName, file, startLine }, linesLost };
}

function readStacks(entries: EntryReader, depth: DepthLimit, limits: ReadLimits): TableColumns["stacks"] {
  const length = entries.lengthOf("stack");
  const locations = entries.lengthOf("location");
  const start = new Uint32Array(length + 1);
  const isCut = new Uint8Array(length);
  const location = new GrowableUint32(length * 16);
  for (let i = 0; i < length; i++) {
    entries.each("stack", i, (tag, end) => {
      if (tag !== 0x0a && tag !== 0x08) return false;
      readIndexes(entries.wire, tag, end, location);
      return true;
    });
    for (let at = start[i]; at < location.length; at++) {
      if (location.array[at] < locations) continue;
      const message = `A stack names the location ${location.array[at]}, and there are ${locations}.`;
      throw new Refusal("invalid", message, "stack_table", entries.wire.at);
    }
    const before = depth.trimmed;
    depth.apply(location, start[i]);
    isCut[i] = depth.trimmed - before;
    start[i + 1] = location.length;
    if (location.length > limits.frames) depth.refuse(location.length, entries.wire.at);
  }
  return { start, location: location.filled(), isCut };
}

import { IdIndex } from "./id-index.ts";
import type { FunctionColumns, MappingColumns } from "./profile.ts";
import { Refusal } from "./profile-error.ts";
import type { ValueType } from "./stacks.ts";
import type { WireReader } from "./wire-reader.ts";

/** Reads the last number as an index of the string table. */
export function stringIndex(wire: WireReader, end: number, strings: number, field: string): number {
  wire.number(end, field);
  if (wire.hi !== 0 || wire.lo >= strings) {
    const message = `${field} is ${wire.bigint()}, the string table has ${strings} entries.`;
    throw new Refusal("invalid", message, field, wire.tagAt);
  }
  return wire.lo;
}

export function readValueType(
  wire: WireReader,
  start: number,
  end: number,
  strings: readonly string[],
  name: string,
): ValueType {
  let type = 0;
  let unit = 0;
  wire.pos = start;
  while (wire.pos < end) {
    wire.tag(end);
    if (wire.field === 1) type = stringIndex(wire, end, strings.length, `${name}.type`);
    else if (wire.field === 2) unit = stringIndex(wire, end, strings.length, `${name}.unit`);
    else wire.skip(end, name);
  }
  return { type: strings[type]!, unit: strings[unit]! };
}

/** 64-bit numbers are stored through the halves of the column, without making a BigInt. Little-endian hosts. */
export function halvesOf(column: BigUint64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, column.length * 2);
}

export function readFunctions(
  wire: WireReader,
  spans: Uint32Array,
  strings: number,
): { functions: FunctionColumns; index: IdIndex } {
  const length = spans.length / 2;
  const id = new BigUint64Array(length);
  const ids = halvesOf(id);
  const name = new Uint32Array(length);
  const systemName = new Uint32Array(length);
  const file = new Uint32Array(length);
  const startLine = new Int32Array(length);
  for (let i = 0; i < length; i++) {
    const end = spans[2 * i + 1]!;
    wire.pos = spans[2 * i]!;
    while (wire.pos < end) {
      wire.tag(end);
      switch (wire.field) {
        case 1:
          wire.number(end, "function.id");
          ids[2 * i] = wire.lo;
          ids[2 * i + 1] = wire.hi;
          break;
        case 2:
          name[i] = stringIndex(wire, end, strings, "function.name");
          break;
        case 3:
          systemName[i] = stringIndex(wire, end, strings, "function.system_name");
          break;
        case 4:
          file[i] = stringIndex(wire, end, strings, "function.filename");
          break;
        case 5:
          wire.number(end, "function.start_line");
          startLine[i] = wire.int32();
          break;
        default:
          wire.skip(end, "function");
      }
    }
  }
  const functions = { length, id, name, systemName, file, startLine };
  return { functions, index: new IdIndex(id, "function", spans) };
}

const mappingFields = [
  "mapping",
  "mapping.id",
  "mapping.memory_start",
  "mapping.memory_limit",
  "mapping.file_offset",
  "mapping.filename",
  "mapping.build_id",
  "mapping.has_functions",
  "mapping.has_filenames",
  "mapping.has_line_numbers",
  "mapping.has_inline_frames",
];

export function readMappings(
  wire: WireReader,
  spans: Uint32Array,
  strings: number,
): { mappings: MappingColumns; index: IdIndex } {
  const length = spans.length / 2;
  const mappings = {
    length,
    id: new BigUint64Array(length),
    start: new BigUint64Array(length),
    limit: new BigUint64Array(length),
    offset: new BigUint64Array(length),
    file: new Uint32Array(length),
    buildId: new Uint32Array(length),
    flags: new Uint8Array(length),
  };
  const wide = [mappings.id, mappings.start, mappings.limit, mappings.offset].map(halvesOf);
  for (let i = 0; i < length; i++) {
    const end = spans[2 * i + 1]!;
    wire.pos = spans[2 * i]!;
    while (wire.pos < end) {
      wire.tag(end);
      const field = wire.field;
      const name = mappingFields[field] ?? "mapping";
      if (field >= 1 && field <= 4) {
        wire.number(end, name);
        wide[field - 1]![2 * i] = wire.lo;
        wide[field - 1]![2 * i + 1] = wire.hi;
      } else if (field === 5) mappings.file[i] = stringIndex(wire, end, strings, name);
      else if (field === 6) mappings.buildId[i] = stringIndex(wire, end, strings, name);
      else if (field >= 7 && field <= 10) readFlag(wire, end, name, mappings.flags, i);
      else wire.skip(end, name);
    }
  }
  return { mappings, index: new IdIndex(mappings.id, "mapping", spans) };
}

/** The fields 7 to 10 are the bits 0 to 3. */
function readFlag(wire: WireReader, end: number, name: string, flags: Uint8Array, i: number): void {
  const bit = 1 << (wire.field - 7);
  wire.number(end, name);
  flags[i] = wire.lo !== 0 || wire.hi !== 0 ? flags[i]! | bit : flags[i]! & ~bit;
}

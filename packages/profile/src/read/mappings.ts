import { scratch } from "#memory/scratch.ts";
import type { MappingColumns } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { IdIndex } from "./id-index.ts";

/** Reads a number as an index of the string table. */
export function stringIndex(wire: WireReader, end: number, strings: number, field: string): number {
  wire.varint(end);
  if (wire.hi !== 0 || wire.lo >= strings) {
    const message = `${field} is ${wire.bigint()}, the string table has ${strings} entries.`;
    throw new Refusal("invalid", message, field, wire.at);
  }
  return wire.lo;
}

/** A string table that may be decoded lazily. */
export type Strings = Pick<readonly string[], "length" | "at">;

export function readValueType(
  wire: WireReader,
  start: number,
  end: number,
  strings: Strings,
  name: string,
): ValueType {
  const names = ["", `${name}.type`, `${name}.unit`];
  let type = 0;
  let unit = 0;
  wire.pos = start;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === 0x08) type = stringIndex(wire, end, strings.length, names[1]);
    else if (tag === 0x10) unit = stringIndex(wire, end, strings.length, names[2]);
    else wire.other(tag, end, name, names);
  }
  return { type: strings.at(type)!, unit: strings.at(unit)! };
}

/** 64-bit numbers are stored through the halves of the column, without making a BigInt. Little-endian hosts. */
export function halvesOf(column: BigUint64Array | BigInt64Array): Uint32Array {
  return new Uint32Array(column.buffer, column.byteOffset, column.length * 2);
}

export const mappingFields = [
  "",
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
  const columns = [undefined, mappings.id, mappings.start, mappings.limit, mappings.offset];
  const wide = columns.map((column) => column && halvesOf(column));
  for (let i = 0; i < length; i++) {
    const end = spans[2 * i + 1];
    wire.pos = spans[2 * i];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const field = (tag & 7) === 0 ? tag >>> 3 : 0;
      const name = mappingFields[field];
      const column = wide[field];
      if (column !== undefined) {
        wire.varint(end);
        column[2 * i] = wire.lo;
        column[2 * i + 1] = wire.hi;
      } else if (field === 5) mappings.file[i] = stringIndex(wire, end, strings, name);
      else if (field === 6) mappings.buildId[i] = stringIndex(wire, end, strings, name);
      else if (field >= 7 && field <= 10) readFlag(wire, end, field, mappings.flags, i);
      else wire.other(tag, end, "mapping", mappingFields);
    }
  }
  return { mappings, index: new IdIndex(mappings.id, "mapping", spans, scratch.mappings) };
}

/** The fields 7 to 10 are the bits 0 to 3. */
function readFlag(wire: WireReader, end: number, field: number, flags: Uint8Array, i: number): void {
  const bit = 1 << (field - 7);
  wire.varint(end);
  flags[i] = wire.lo !== 0 || wire.hi !== 0 ? flags[i] | bit : flags[i] & ~bit;
}

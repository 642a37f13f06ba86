import { halvesOf, scratch } from "#memory/growable.ts";
import type { MappingColumns } from "#model/profile.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { stringIndex } from "./header.ts";
import { IdIndex } from "./id-index.ts";

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

import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { WireReader } from "#wire/wire-reader.ts";

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

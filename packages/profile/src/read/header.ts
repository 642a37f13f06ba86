import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import type { Outline, Scalar } from "./outline.ts";

/** Everything that does not come in tables. */
export type ProfileHeader = Pick<
  Profile,
  | "sampleTypes"
  | "defaultSampleType"
  | "periodType"
  | "period"
  | "timeNs"
  | "durationNs"
  | "dropFrames"
  | "keepFrames"
  | "comments"
  | "docUrl"
>;

export function readHeader(wire: WireReader, outline: Outline, strings: Strings): ProfileHeader {
  const scalars = outline.scalars;
  const spans = outline.sampleTypes;
  const sampleTypes: ValueType[] = [];
  for (let i = 0; i < spans.length; i += 2) {
    sampleTypes.push(readValueType(wire, spans[i], spans[i + 1], strings, "sample_type"));
  }
  const [start, end] = scalars.periodType;
  return {
    sampleTypes,
    defaultSampleType: textAt(strings, scalars.defaultSampleType, "default_sample_type"),
    periodType: readValueType(wire, start, end, strings, "period_type"),
    period: scalars.period,
    timeNs: scalars.timeNs,
    durationNs: scalars.durationNs,
    dropFrames: textAt(strings, scalars.dropFrames, "drop_frames"),
    keepFrames: textAt(strings, scalars.keepFrames, "keep_frames"),
    comments: scalars.comments.map((comment) => textAt(strings, comment, "comment")),
    docUrl: textAt(strings, scalars.docUrl, "doc_url"),
  };
}

function textAt(strings: Strings, { value, offset }: Scalar, field: string): string {
  if (value >= 0n && value < BigInt(strings.length)) return strings.at(Number(value))!;
  const message = `${field} is ${value}, the string table has ${strings.length} entries.`;
  throw new Refusal("invalid", message, field, offset);
}

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
type Strings = Pick<readonly string[], "length" | "at">;

function readValueType(
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

import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import type { Outline, Scalar } from "./outline.ts";
import { readValueType, type Strings } from "./string-fields.ts";

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

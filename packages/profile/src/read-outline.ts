import type { ReadLimits } from "./limits.ts";
import { Refusal } from "./profile-error.ts";
import { BYTES, VARINT, type WireReader } from "./wire-reader.ts";

/** Where the messages of a profile lie: pairs of start and end offsets, counted before anything is made. */
export interface Outline {
  readonly sampleTypes: Uint32Array;
  readonly samples: Uint32Array;
  readonly mappings: Uint32Array;
  readonly locations: Uint32Array;
  readonly functions: Uint32Array;
  readonly strings: Uint32Array;
  readonly scalars: Scalars;
}

/** String fields are still indexes of the string table. */
export interface Scalars {
  readonly dropFrames: bigint;
  readonly keepFrames: bigint;
  readonly timeNs: bigint;
  readonly durationNs: bigint;
  readonly period: bigint;
  readonly defaultSampleType: bigint;
  readonly docUrl: bigint;
  readonly comments: readonly bigint[];
  /** Start and end of the last period_type, which wins; empty where there is none. */
  readonly periodType: readonly [number, number];
}

const fieldNames = [
  "profile",
  "sample_type",
  "sample",
  "mapping",
  "location",
  "function",
  "string_table",
  "drop_frames",
  "keep_frames",
  "time_nanos",
  "duration_nanos",
  "period_type",
  "period",
  "comment",
  "default_sample_type",
  "doc_url",
];

/** Walks the top level twice: once to count against the limits, once to note where everything lies. */
export function readOutline(wire: WireReader, limits: ReadLimits): Outline {
  const caps = [0, limits.sampleTypes, limits.samples, limits.mappings, limits.locations, limits.functions];
  caps.push(limits.strings);
  const counts = countMessages(wire, caps);
  if (counts[6] === 0) throw new Refusal("empty", "The profile has no string table.", "string_table", 0);
  const spans = Array.from(counts, (count) => new Uint32Array(count * 2));
  const scalars = fillSpans(wire, spans);
  return {
    sampleTypes: spans[1]!,
    samples: spans[2]!,
    mappings: spans[3]!,
    locations: spans[4]!,
    functions: spans[5]!,
    strings: spans[6]!,
    scalars,
  };
}

const limitNames = ["", "sampleTypes", "samples", "mappings", "locations", "functions", "strings"];

function countMessages(wire: WireReader, caps: readonly number[]): Uint32Array {
  const end = wire.bytes.length;
  const counts = new Uint32Array(7);
  wire.pos = 0;
  while (wire.pos < end) {
    wire.tag(end);
    const field = wire.field;
    if (field >= 1 && field <= 6) {
      wire.pos = wire.block(end, fieldNames[field]!);
      counts[field]!++;
      if (counts[field]! > caps[field]!) refuseMore(field, caps[field]!, wire.tagAt);
    } else wire.skip(end, fieldNames[field] ?? `field ${field}`);
  }
  return counts;
}

function refuseMore(field: number, cap: number, offset: number): never {
  const message = `The profile has more than ${cap} entries of ${fieldNames[field]}.`;
  throw new Refusal("too_large", message, limitNames[field]!, offset);
}

function fillSpans(wire: WireReader, spans: readonly Uint32Array[]): Scalars {
  const end = wire.bytes.length;
  const filled = new Uint32Array(7);
  const numbers = new Array<bigint>(fieldNames.length).fill(0n);
  const comments: bigint[] = [];
  let periodType: readonly [number, number] = [0, 0];
  wire.pos = 0;
  while (wire.pos < end) {
    wire.tag(end);
    const field = wire.field;
    if (field >= 1 && field <= 6) {
      const stop = wire.block(end, fieldNames[field]!);
      const at = filled[field]!;
      spans[field]![at] = wire.pos;
      spans[field]![at + 1] = stop;
      filled[field] = at + 2;
      wire.pos = stop;
    } else if (field === 11) {
      const stop = wire.block(end, "period_type");
      periodType = [wire.pos, stop];
      wire.pos = stop;
    } else if (field === 13) readComments(wire, end, comments);
    else if (field >= 7 && field <= 15) readScalar(wire, end, numbers);
    else wire.skip(end, `field ${field}`);
  }
  return {
    dropFrames: numbers[7]!,
    keepFrames: numbers[8]!,
    timeNs: numbers[9]!,
    durationNs: numbers[10]!,
    period: numbers[12]!,
    defaultSampleType: numbers[14]!,
    docUrl: numbers[15]!,
    comments,
    periodType,
  };
}

function readScalar(wire: WireReader, end: number, numbers: bigint[]): void {
  const field = wire.field;
  // Two profiles written one after the other merge into one message: Go's parser tells it by the second time.
  if (field === 9 && numbers[9] !== 0n) {
    const message = "The bytes hold two profiles one after the other.";
    throw new Refusal("concatenated", message, "time_nanos", wire.tagAt);
  }
  wire.number(end, fieldNames[field]!);
  numbers[field] = wire.bigint();
}

function readComments(wire: WireReader, end: number, comments: bigint[]): void {
  if (wire.type === VARINT) {
    wire.varint(end);
    comments.push(wire.bigint());
    return;
  }
  if (wire.type !== BYTES) wire.wrongType("comment");
  const stop = wire.block(end, "comment");
  while (wire.pos < stop) {
    wire.varint(stop);
    comments.push(wire.bigint());
  }
}

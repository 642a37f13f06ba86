import { type GrowableUint32, scratch } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { Nanoseconds } from "#model/units.ts";
import type { WireReader } from "#wire/wire-reader.ts";

/** Positions of the messages of a profile: pairs of start and end offsets. */
export interface Outline {
  readonly sampleTypes: Uint32Array;
  readonly samples: Uint32Array;
  readonly mappings: Uint32Array;
  readonly locations: Uint32Array;
  readonly functions: Uint32Array;
  readonly strings: Uint32Array;
  readonly scalars: Scalars;
}

/** String fields are unchecked indexes of the string table. */
interface Scalars {
  readonly dropFrames: Scalar;
  readonly keepFrames: Scalar;
  readonly timeNs: Nanoseconds;
  readonly durationNs: Nanoseconds;
  readonly period: bigint;
  readonly defaultSampleType: Scalar;
  readonly docUrl: Scalar;
  readonly comments: readonly Scalar[];
  /** Start and end of the last period_type, which wins; empty where there is none. */
  readonly periodType: readonly [number, number];
}

/** A number and the offset of its field. */
export interface Scalar {
  readonly value: bigint;
  readonly offset: number;
}

export const profileFields = [
  "",
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

/** Walks the top level once and records the position of each message, within the limits. */
export function readOutline(wire: WireReader, limits: ReadLimits): Outline {
  const names = ["", "sampleTypes", "samples", "mappings", "locations", "functions", "strings"] as const;
  const spans = names.map((name, field) => new Spans(name, limits, scratch.spans[field]));
  const scalars = walk(wire, spans, new Comments(limits.comments));
  const [, sampleTypes, samples, mappings, locations, functions, strings] = spans.map((span) =>
    span.offsets.filled(),
  ) as [Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array, Uint32Array];
  return { sampleTypes, samples, mappings, locations, functions, strings, scalars };
}

class Spans {
  readonly offsets: GrowableUint32;
  private readonly limit: string;
  private readonly max: number;

  constructor(limit: keyof ReadLimits | "", limits: ReadLimits, memory: GrowableUint32) {
    this.offsets = memory.clear();
    this.limit = limit;
    this.max = limit === "" ? 0 : limits[limit];
  }

  add(start: number, end: number): void {
    const offsets = this.offsets;
    const at = offsets.length;
    if (at === this.max * 2) refuseMore(this.limit, this.max, start);
    if (at + 2 > offsets.array.length) offsets.reserve(2);
    offsets.array[at] = start;
    offsets.array[at + 1] = end;
    offsets.length = at + 2;
  }
}

function walk(wire: WireReader, spans: readonly Spans[], comments: Comments): Scalars {
  const end = wire.bytes.length;
  const numbers = new Array<Scalar>(profileFields.length).fill({ value: 0n, offset: 0 });
  let periodType: readonly [number, number] = [0, 0];
  wire.pos = 0;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    const field = tag >>> 3;
    if ((tag & 7) === 2 && field >= 1 && field <= 6) {
      const stop = wire.block(end, profileFields[field]);
      spans[field].add(wire.pos, stop);
      wire.pos = stop;
    } else if (tag === 0x5a) {
      const stop = wire.block(end, "period_type");
      periodType = [wire.pos, stop];
      wire.pos = stop;
    } else if (tag === 0x68 || tag === 0x6a) readComments(wire, tag, end, comments);
    else if ((tag & 7) === 0 && field >= 7 && field <= 15 && field !== 11) {
      readScalar(wire, end, field, numbers);
    } else wire.other(tag, end, "profile", profileFields);
  }
  return {
    dropFrames: numbers[7],
    keepFrames: numbers[8],
    timeNs: numbers[9].value,
    durationNs: numbers[10].value,
    period: numbers[12].value,
    defaultSampleType: numbers[14],
    docUrl: numbers[15],
    comments: comments.indexes,
    periodType,
  };
}

function readNumber(wire: WireReader, end: number): Scalar {
  const offset = wire.at;
  wire.varint(end);
  return { value: wire.bigint(), offset };
}

function readScalar(wire: WireReader, end: number, field: number, numbers: Scalar[]): void {
  // Two profiles written one after the other merge into one message: as in Go's parser, the second time reveals it.
  if (field === 9 && numbers[9].value !== 0n) {
    const message = "The bytes hold two profiles one after the other.";
    throw new Refusal("concatenated", message, "time_nanos", wire.at);
  }
  numbers[field] = readNumber(wire, end);
}

/** A list of numbers, packed or one by one. */
function readComments(wire: WireReader, tag: number, end: number, comments: Comments): void {
  if (tag === 0x68) {
    comments.read(wire, end);
    return;
  }
  const stop = wire.block(end, "comment");
  while (wire.pos < stop) comments.read(wire, stop);
}

class Comments {
  readonly indexes: Scalar[] = [];
  private readonly max: number;

  constructor(max: number) {
    this.max = max;
  }

  read(wire: WireReader, end: number): void {
    if (this.indexes.length === this.max) refuseMore("comments", this.max, wire.at);
    this.indexes.push(readNumber(wire, end));
  }
}

function refuseMore(limit: string, max: number, offset: number): never {
  const words = limit === "sampleTypes" ? "sample types" : limit;
  throw new Refusal("too_large", `The profile has more than ${max} ${words}.`, limit, offset);
}

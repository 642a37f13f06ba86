import { DepthLimit } from "./depth-limit.ts";
import { GrowableUint32 } from "./growable.ts";
import type { IdIndex } from "./id-index.ts";
import type { ReadLimits } from "./limits.ts";
import type { LabelColumns, LocationColumns, SampleColumns } from "./profile.ts";
import { Refusal } from "./profile-error.ts";
import { LabelReader } from "./read-labels.ts";
import { ValueReader } from "./read-values.ts";
import { BYTES, VARINT, type WireReader } from "./wire-reader.ts";

export interface SampleContext {
  readonly locations: LocationColumns;
  readonly index: IdIndex;
  readonly sampleTypes: number;
  readonly strings: number;
  readonly limits: ReadLimits;
}

export interface ReadSamples {
  readonly samples: SampleColumns;
  readonly labels: LabelColumns;
  readonly trimmedDepth: number;
  readonly trimmedLabels: number;
}

export function readSamples(wire: WireReader, spans: Uint32Array, context: SampleContext): ReadSamples {
  const length = spans.length / 2;
  if (length > 0 && context.sampleTypes === 0) {
    const message = "The profile has samples and no sample types.";
    throw new Refusal("invalid", message, "sample_type", spans[0]!);
  }
  const location = new GrowableUint32(length * 24);
  const locationStart = new Uint32Array(length + 1);
  const labelStart = new Uint32Array(length + 1);
  const labels = new LabelReader(wire, context.strings, context.limits.labelsPerSample);
  const values = new ValueReader(wire, context.sampleTypes, length);
  const depth = new DepthLimit(context.locations, context.limits);
  for (let i = 0; i < length; i++) {
    const end = spans[2 * i + 1]!;
    wire.pos = spans[2 * i]!;
    values.begin(i);
    labels.begin();
    while (wire.pos < end) {
      wire.tag(end);
      if (wire.field === 1) readLocationIds(wire, end, context.index, location);
      else if (wire.field === 2) values.read(end);
      else if (wire.field === 3) labels.read(end);
      else wire.skip(end, "sample");
    }
    values.finish(spans[2 * i]!);
    depth.apply(location, locationStart[i]!);
    locationStart[i + 1] = location.length;
    labelStart[i + 1] = labels.length;
  }
  depth.checkFrames(location);
  return {
    samples: {
      length,
      locationStart,
      location: location.toArray(),
      labelStart,
      values: values.columns(spans),
    },
    labels: labels.columns(),
    trimmedDepth: depth.trimmed,
    trimmedLabels: labels.trimmed,
  };
}

function readLocationIds(wire: WireReader, outer: number, index: IdIndex, into: GrowableUint32): void {
  if (wire.type === VARINT) {
    wire.varint(outer);
    into.push(locationIndex(wire, index));
    return;
  }
  if (wire.type !== BYTES) wire.wrongType("sample.location_id");
  const end = wire.block(outer, "sample.location_id");
  const bytes = wire.bytes;
  const dense = index.dense;
  into.reserve(end - wire.pos);
  const array = into.array;
  let filled = into.length;
  let pos = wire.pos;
  while (pos < end) {
    // Ids under 2^14 that are counted from 1 are nearly all there are, so they are read here.
    let id = bytes[pos]!;
    let next = pos + 1;
    if (id >= 0x80) {
      const second = next < end ? bytes[next]! : 0x80;
      id = second < 0x80 ? (id & 0x7f) | (second << 7) : 0;
      next++;
    }
    const found = id < dense.length ? dense[id]! : 0;
    if (found !== 0) {
      array[filled++] = found - 1;
      pos = next;
      continue;
    }
    wire.pos = pos;
    wire.varint(end);
    array[filled++] = locationIndex(wire, index);
    pos = wire.pos;
  }
  into.length = filled;
  wire.pos = end;
}

function locationIndex(wire: WireReader, index: IdIndex): number {
  const found = index.find(wire.lo, wire.hi);
  if (found < 0) {
    const id = BigInt.asUintN(64, wire.bigint());
    const message = `A sample names the location ${id}, which is not in the profile.`;
    throw new Refusal("invalid", message, "sample.location_id", wire.tagAt);
  }
  return found;
}

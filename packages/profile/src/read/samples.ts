import { type GrowableUint32, halvesOf, scratch } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LabelColumns, LocationColumns, SampleColumns, ValueColumn } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { DepthLimit } from "./depth-limit.ts";
import type { IdIndex } from "./id-index.ts";
import { LabelReader } from "./labels.ts";

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

export const sampleFields = ["", "sample.location_id", "sample.value", "sample.label"];

export function readSamples(wire: WireReader, spans: Uint32Array, context: SampleContext): ReadSamples {
  const length = spans.length / 2;
  if (length > 0 && context.sampleTypes === 0) refuseTypeless(spans[0]);
  checkRoom(spans, context.sampleTypes);
  if (length * context.sampleTypes > context.limits.values) refuseValues(context.limits.values, spans[0]);
  const locationStart = new Uint32Array(length + 1);
  const labelStart = new Uint32Array(length + 1);
  const labels = new LabelReader(wire, context.strings, length, context.limits);
  const values = new ValueReader(wire, context.sampleTypes, length);
  const depth = new DepthLimit(context.locations, context.limits);
  const location = scratch.locationIds.clear(roomFor(wire.bytes, spans, depth.framesMax, context.limits));
  const parts = { index: context.index, location, values, labels };
  const { frames } = context.limits;
  for (let i = 0; i < length; i++) {
    wire.pos = spans[2 * i];
    values.begin(i);
    labels.begin();
    readSample(wire, spans[2 * i + 1], parts);
    values.finish(spans[2 * i]);
    if (location.length > frames) depth.refuse(location.length, spans[2 * i]);
    depth.apply(location, locationStart[i]);
    locationStart[i + 1] = location.length;
    labelStart[i + 1] = labels.length;
  }
  depth.checkFrames(location);
  const columns = values.columns(spans);
  return {
    samples: {
      length,
      locationStart,
      location: location.take(),
      labelStart,
      values: columns,
    },
    labels: labels.columns(),
    trimmedDepth: depth.trimmed,
    trimmedLabels: labels.trimmed,
  };
}

/** Bytes of samples for which lists grow as they are read. */
const smallBytes = 1024 * 1024;
/** The most that `idsAtMost` gives beyond the numbers of a list. */
const surplusMax = 4096;

/**
 * Room for the location ids of all samples and, where these are many, for their frames, which are written over them later: see
 * `sumSamples`. A list that grows would be there twice meanwhile. Memory that is not written costs nothing.
 */
function roomFor(bytes: Uint8Array, spans: Uint32Array, framesMax: number, { frames }: ReadLimits): number {
  let total = 0;
  for (let i = 0; i < spans.length; i += 2) total += spans[i + 1] - spans[i];
  if (total <= smallBytes) return 0;
  let numbers = 0;
  for (let i = 0; i < spans.length; i += 2) {
    for (let at = spans[i]; at < spans[i + 1]; at++) if (bytes[at] < 0x80) numbers++;
  }
  return Math.min(numbers * framesMax, frames) + surplusMax;
}

interface Parts {
  readonly index: IdIndex;
  readonly location: GrowableUint32;
  readonly values: ValueReader;
  readonly labels: LabelReader;
}

function readSample(wire: WireReader, end: number, parts: Parts): void {
  while (wire.pos < end) readField(wire, end, parts);
}

function readField(wire: WireReader, end: number, { index, location, values, labels }: Parts): void {
  const tag = wire.tag(end);
  if (tag === 0x0a) {
    const stop = wire.block(end, "sample.location_id");
    readLocationIds(wire, wire.pos, stop, index, location);
  } else if (tag === 0x12) {
    const stop = wire.block(end, "sample.value");
    values.readPacked(wire.pos, stop);
  } else if (tag === 0x1a) labels.read(end);
  else if (tag === 0x10) values.readOne(end);
  else if (tag === 0x08) {
    wire.varint(end);
    location.push(locationIndex(wire, index));
  } else wire.other(tag, end, "sample", sampleFields);
}

/** A value takes a byte at least: shorter samples are refused before columns are made for them. */
function checkRoom(spans: Uint32Array, sampleTypes: number): void {
  for (let i = 0; i < spans.length; i += 2) {
    if (spans[i + 1] - spans[i] >= sampleTypes) continue;
    const message = `A sample has fewer values than the profile has sample types (${sampleTypes}).`;
    throw new Refusal("invalid", message, "sample.value", spans[i]);
  }
}

function refuseTypeless(offset: number): never {
  throw new Refusal("invalid", "The profile has samples and no sample types.", "sample_type", offset);
}

/** Reads a packed list. */
function readLocationIds(
  wire: WireReader,
  from: number,
  end: number,
  index: IdIndex,
  into: GrowableUint32,
): void {
  const bytes = wire.bytes;
  const dense = index.dense;
  into.reserve(idsAtMost(bytes, from, end));
  const array = into.array;
  let filled = into.length;
  let pos = from;
  while (pos < end) {
    // Ids under 2^14 that are counted from 1 are nearly all there are, so they are read here.
    let id = bytes[pos];
    let next = pos + 1;
    if (id >= 0x80) {
      const second = next < end ? bytes[next] : 0x80;
      id = second < 0x80 ? (id & 0x7f) | (second << 7) : 0;
      next++;
    }
    const found = id < dense.length ? dense[id] : 0;
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

/** Room for a packed list: its bytes, or in long lists the bytes that end a number. */
function idsAtMost(bytes: Uint8Array, from: number, to: number): number {
  if (to - from <= surplusMax) return to - from;
  let count = 0;
  for (let i = from; i < to; i++) if (bytes[i] < 0x80) count++;
  return count + 1;
}

function locationIndex(wire: WireReader, index: IdIndex): number {
  const found = index.find(wire.lo, wire.hi);
  if (found < 0) {
    const id = BigInt.asUintN(64, wire.bigint());
    const message = `A sample names the location ${id}, which is not in the profile.`;
    throw new Refusal("invalid", message, "sample.location_id", wire.at);
  }
  return found;
}

function refuseValues(max: number, offset: number): never {
  const message = `The samples have more than ${max} values, one for each sample type.`;
  throw new Refusal("too_large", message, "values", offset);
}

/** Reads sample values as numbers, and again as 64-bit integers for the columns where that was not exact. */
export class ValueReader {
  private readonly wire: WireReader;
  private readonly types: number;
  private readonly numbers: Float64Array<ArrayBuffer>[];
  /** Sum of the absolute values: up to 2^53 every value and every partial sum is exact. */
  private readonly magnitude: Float64Array;
  private sample = 0;
  private count = 0;

  constructor(wire: WireReader, types: number, samples: number) {
    this.wire = wire;
    this.types = types;
    this.numbers = Array.from({ length: types }, () => new Float64Array(samples));
    this.magnitude = new Float64Array(types);
  }

  begin(sample: number): void {
    this.sample = sample;
    this.count = 0;
  }

  /** Reads one sample.value that is not packed. */
  readOne(end: number): void {
    this.wire.varint(end);
    this.add(this.wire.signed());
  }

  /** Reads a packed list that ends at `end`. */
  readPacked(from: number, end: number): void {
    this.wire.pos = from;
    while (this.wire.pos < end) this.readOne(end);
  }

  add(value: number): void {
    const type = this.count++;
    if (type >= this.types) return;
    this.numbers[type][this.sample] = value;
    this.magnitude[type] += Math.abs(value);
  }

  finish(offset: number): void {
    if (this.count === this.types) return;
    const message = `A sample has ${this.count} values where the profile has ${this.types} sample types.`;
    throw new Refusal("invalid", message, "sample.value", offset);
  }

  columns(spans: Uint32Array): ValueColumn[] {
    const wide = this.numbers.map(({ length }, type) =>
      this.magnitude[type] <= Number.MAX_SAFE_INTEGER ? undefined : new BigInt64Array(length),
    );
    if (wide.some((column) => column !== undefined)) this.readWide(spans, wide);
    return this.numbers.map((numbers, type) => wide[type] ?? numbers);
  }

  /** Fills the columns that are there: all in one pass, as there may be many. */
  private readWide(spans: Uint32Array, columns: readonly (BigInt64Array | undefined)[]): void {
    const halves = columns.map((column) => column && halvesOf(column));
    const wire = this.wire;
    for (let i = 0; i < spans.length; i += 2) {
      const end = spans[i + 1];
      let type = 0;
      wire.pos = spans[i];
      while (wire.pos < end) {
        const tag = wire.tag(end);
        if (tag >>> 3 !== 2) {
          wire.other(tag, end, "sample", []);
          continue;
        }
        const stop = tag === 0x12 ? wire.block(end, "sample.value") : wire.pos + 1;
        while (wire.pos < stop) {
          wire.varint(end);
          const column = halves[type++];
          if (column === undefined) continue;
          column[i] = wire.lo;
          column[i + 1] = wire.hi;
        }
      }
    }
  }
}

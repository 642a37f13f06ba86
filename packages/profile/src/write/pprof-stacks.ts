import { GrowableUint32 } from "#memory/growable.ts";
import { Tuples } from "#memory/tuples.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { tooLong } from "#wire/output.ts";
import { PprofWriter } from "./pprof-writer.ts";
import type { LineFrame, LineLabels } from "./stack-lines.ts";

export interface PprofFacts {
  readonly sampleTypes: readonly ValueType[];
  readonly periodType?: ValueType;
  readonly period?: bigint;
  readonly durationNs?: bigint;
  readonly defaultSampleType?: string;
  /** Writes the locations that are no frames, and returns their ids by number. */
  readonly locations?: (writer: PprofWriter) => Uint32Array;
  /** The value of a type, where rows have other values than one for each type. */
  readonly valueIn?: (row: ArrayLike<number>, type: number) => number;
}

type Value = number | bigint;

/**
 * A profile in another format as pprof, whose readers apply the limits. Names are copied at once; samples are written at the end,
 * when the facts are known.
 *
 * @throws Refusal
 */
export function pprofOf(limits: ReadLimits, collect: (stacks: PprofStacks) => PprofFacts): Uint8Array {
  const stacks = new PprofStacks(limits);
  try {
    return stacks.write(collect(stacks));
  } catch (error) {
    if (error !== tooLong) throw error;
    throw new Refusal("too_large", `The profile has more than ${limits.bytes} bytes as pprof.`, "bytes", 0);
  }
}

export class PprofStacks {
  readonly writer: PprofWriter;
  readonly #limits: ReadLimits;
  /** Name, file and line. */
  readonly #frames = new Tuples(3);
  readonly #start = new GrowableUint32(1024);
  readonly #location = new GrowableUint32(4096);
  readonly #values: number[] = [];
  /** Values that a number does not hold, by their place. */
  readonly #wide = new Map<number, bigint>();
  readonly #labels = new GrowableUint32(1024);
  readonly #labelSets: Uint8Array[] = [new Uint8Array(0)];

  constructor(limits: ReadLimits) {
    this.#limits = limits;
    this.writer = new PprofWriter(limits.bytes);
    this.#start.push(0);
  }

  get length(): number {
    return this.#start.length - 1;
  }

  /** The number of a frame, by the indexes of its texts. */
  frame(name: number, file = 0, line = 0): number {
    const frame = this.#frames.intern(name, file, line);
    if (frame >= this.#limits.locations) throw this.tooMany("locations", "different frames");
    return frame;
  }

  named({ name, file, line }: LineFrame): number {
    return this.frame(this.writer.text(name), this.writer.text(file), line);
  }

  /** The name of a frame, as index of its text. */
  nameOf(frame: number): number {
    return this.#frames.at(frame, 0);
  }

  /** The number of a set of labels. */
  labels(labels: LineLabels): number {
    return this.#labelSets.push(this.writer.labels(labels)) - 1;
  }

  /** The number of a set with one label, which is a number. */
  numberLabel(key: string, value: bigint): number {
    return this.#labelSets.push(this.writer.numberLabel(key, value)) - 1;
  }

  /**
   * @param locations leaf first: frames, or numbers of the caller's own; those beyond the depth are left out, except for one that the
   * reader counts
   */
  add(locations: ArrayLike<number>, values: ArrayLike<Value>, labels = 0): void {
    this.#refuseSample();
    const { length } = locations;
    const place = this.#reserve(Math.min(length, this.#limits.depth + 1));
    const { array } = this.#location;
    for (let to = this.#location.length, from = length - (to - place); to > place; )
      array[--to] = locations[from + to - place];
    for (let i = 0; i < values.length; i++) this.#addValue(values[i]);
    this.#labels.push(labels);
  }

  /** As `add`, of frames[from, to), root first. */
  addRootFirst(frames: Uint32Array, from: number, to: number, value: number): void {
    this.#refuseSample();
    let place = this.#reserve(Math.min(to - from, this.#limits.depth + 1));
    const { array } = this.#location;
    for (let at = from + this.#location.length - place; at > from; ) array[place++] = frames[--at];
    this.#addValue(value);
    this.#labels.push(0);
  }

  #refuseSample(): void {
    if (this.length >= this.#limits.samples) throw this.tooMany("samples", "samples");
  }

  /** Makes room for the locations of a sample; returns where it is. */
  #reserve(count: number): number {
    const place = this.#location.length;
    this.#location.reserve(count);
    this.#location.length += count;
    if (this.#location.length > this.#limits.frames) throw this.tooMany("frames", "frames in all stacks");
    this.#start.push(this.#location.length);
    return place;
  }

  #addValue(value: Value): void {
    const number = Number(value);
    if (number < 0 || number > Number.MAX_SAFE_INTEGER) this.#wide.set(this.#values.length, BigInt(value));
    this.#values.push(number);
  }

  /** One more of the stack that came last. */
  repeat(): void {
    const last = this.#values.length - 1;
    if (last >= 0) this.#values[last]++;
  }

  tooMany(limit: "locations" | "samples" | "frames", what: string): Refusal {
    const max = this.#limits[limit];
    return new Refusal("too_large", `The profile has more than ${max} ${what}.`, limit, max);
  }

  write({
    sampleTypes,
    periodType,
    period = 0n,
    durationNs = 0n,
    defaultSampleType = "",
    ...rest
  }: PprofFacts): Uint8Array {
    const { writer } = this;
    const { out } = writer;
    for (const type of sampleTypes) writer.valueType(0x0a, type);
    const ids = rest.locations?.(writer) ?? this.#writeFrames();
    this.#writeSamples(ids, sampleTypes.length, rest.valueIn);
    if (periodType !== undefined) writer.valueType(0x5a, periodType);
    out.bigint(0x60, period);
    out.bigint(0x50, durationNs);
    const name = writer.text(defaultSampleType);
    out.bigint(0x70, BigInt(name));
    return out.bytes.subarray(0, out.length);
  }

  #writeFrames(): Uint32Array {
    const ids = new Uint32Array(this.#frames.length);
    for (let frame = 0; frame < ids.length; frame++) {
      const fn = this.writer.functionOf(this.#frames.at(frame, 0), this.#frames.at(frame, 1));
      ids[frame] = this.writer.location(fn, this.#frames.at(frame, 2));
    }
    return ids;
  }

  #writeSamples(ids: Uint32Array, types: number, valueIn: PprofFacts["valueIn"]): void {
    const { out } = this.writer;
    const { length } = this;
    const [start, locations, labels] = [this.#start.array, this.#location.array, this.#labels.array];
    const width = length === 0 ? 0 : this.#values.length / length;
    for (let i = 0; i < length; i++) {
      const sample = out.open(0x12);
      const stack = out.open(0x0a);
      out.varints(ids, locations, start[i], start[i + 1]);
      out.close(stack);
      const row = valueIn && this.#values.slice(i * width, (i + 1) * width);
      for (let type = 0; type < types; type++) {
        const at = i * width + type;
        const wide = this.#wide.size === 0 ? undefined : this.#wide.get(at);
        if (wide !== undefined) out.bigint(0x10, wide);
        else {
          out.varint(0x10);
          out.number(row === undefined ? this.#values[at] : valueIn!(row, type));
        }
      }
      const fields = this.#labelSets[labels[i]];
      out.copy(fields, 0, fields.length);
      out.close(sample);
    }
  }
}

import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import type { LabelColumns, SampleColumns, ValueColumn } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import type { AttributeReader } from "./attributes.ts";
import type { LabelRows } from "./labels.ts";
import type { SampleTags } from "./layout.ts";
import { frameTypeKey } from "./locations.ts";
import type { OtlpRequest, SentProfile } from "./request.ts";
import type { TableColumns } from "./tables.ts";

interface SampleContext {
  readonly sent: readonly SentProfile[];
  readonly sampleTypes: readonly ValueType[];
  readonly tables: TableColumns;
  readonly labels: LabelRows;
  readonly attributes: AttributeReader;
  readonly limits: ReadLimits;
}

/**
 * The samples of a request as columns. A value is the sum of the values that a sample has for its times; without values each time
 * counts 1.
 */
export class SampleReader {
  readonly #wire: WireReader;
  readonly #tags: SampleTags;
  readonly #context: SampleContext;
  readonly #length: number;
  readonly #locationStart: Uint32Array;
  readonly #labelStart: Uint32Array;
  readonly #location = new GrowableUint32(1024);
  readonly #values: Float64Array[];
  /** Sum of the absolute values: up to 2^53 every value and every partial sum is exact. */
  readonly #magnitude: Float64Array;
  #cutSamples = 0;
  #read = 0;
  /** These four belong to the sample that is read. */
  #stack = 0;
  #value = 0;
  #valueCount = 0;
  #times = 0;

  constructor({ wire, sample }: OtlpRequest, context: SampleContext) {
    this.#wire = wire;
    this.#tags = sample;
    this.#context = context;
    const length = context.sent.reduce((sum, { samples }) => sum + samples.length / 2, 0);
    this.#length = length;
    this.#locationStart = new Uint32Array(length + 1);
    this.#labelStart = new Uint32Array(length + 1);
    this.#values = context.sampleTypes.map(() => new Float64Array(length));
    this.#magnitude = new Float64Array(context.sampleTypes.length);
  }

  columns(): { samples: SampleColumns; labels: LabelColumns; cutSamples: number } {
    const { sent, labels, limits, tables } = this.#context;
    const typeOf = sent.map((profile) => this.#typeOf(profile));
    for (const [at, { samples, resource }] of sent.entries()) {
      const shared = labels.ofResource(resource);
      for (let i = 0; i < samples.length; i += 2)
        this.#sample([samples[i], samples[i + 1]], typeOf[at], shared);
    }
    if (this.#location.length > limits.frames) tables.depth.refuse(this.#location.length, this.#wire.at);
    tables.depth.checkFrames(this.#location);
    return {
      samples: {
        length: this.#length,
        locationStart: this.#locationStart,
        location: this.#location.filled(),
        labelStart: this.#labelStart,
        values: this.#valueColumns(typeOf),
      },
      labels: labels.columns(),
      cutSamples: this.#cutSamples,
    };
  }

  #typeOf(profile: SentProfile): number {
    const { sampleTypes, attributes } = this.#context;
    const { type, unit } = attributes.sampleType(profile);
    return sampleTypes.findIndex((each) => each.type === type && each.unit === unit);
  }

  #sample([start, end]: readonly [number, number], type: number, shared: readonly number[]): void {
    const { labels } = this.#context;
    const index = this.#read++;
    this.#stack = 0;
    this.#value = 0;
    this.#valueCount = 0;
    this.#times = 0;
    labels.begin();
    const wire = this.#wire;
    wire.pos = start;
    while (wire.pos < end) this.#field(wire.tag(end), end, type);
    if (this.#valueCount === 0) {
      this.#value = this.#times;
      this.#magnitude[type] += this.#times;
      if (this.#times === 0 || !Number.isInteger(this.#times)) refuseValueless(start);
    }
    this.#values[type][index] = this.#value;
    this.#addStack(this.#stack, index);
    for (const label of shared) labels.add(label);
    this.#addFrameType(this.#stack);
    labels.finish();
    this.#labelStart[index + 1] = labels.length;
  }

  #field(tag: number, end: number, type: number): void {
    const wire = this.#wire;
    const { labels } = this.#context;
    const { attributes, link, values } = this.#tags;
    if (tag === 0x08) {
      wire.varint(end);
      this.#stack = wire.hi === 0 ? wire.lo : 0xffffffff;
    } else if (tag === attributes || tag === (attributes & ~7)) labels.read(tag, end);
    else if (tag === values || tag === (values & ~7)) this.#addValues(tag, end, type);
    else if (tag === link) {
      wire.varint(end);
      for (const label of labels.ofLink(wire.hi === 0 ? wire.lo : 0xffffffff)) labels.add(label);
    } else if (tag === 0x2a) {
      const stop = wire.block(end, "sample.timestamps_unix_nano");
      this.#times += (stop - wire.pos) / 8;
      wire.pos = stop;
    } else if (tag === 0x29) {
      wire.fixed64(end, "sample.timestamps_unix_nano");
      this.#times++;
    } else wire.other(tag, end, "sample", []);
  }

  #addValues(tag: number, end: number, type: number): void {
    const wire = this.#wire;
    const stop = (tag & 7) === 2 ? wire.block(end, "sample.values") : wire.pos + 1;
    while (wire.pos < stop) {
      wire.varint(end);
      const value = wire.signed();
      this.#value += value;
      this.#magnitude[type] += Math.abs(value);
      this.#valueCount++;
    }
  }

  #addFrameType(stack: number): void {
    const { tables, labels } = this.#context;
    const { start, location } = tables.stacks;
    const leaf = start[stack];
    if (leaf === start[stack + 1]) return;
    // The leaf of a stack that was cut has no type.
    const type = tables.frameTypes[location[leaf]] ?? "";
    if (type !== "") labels.add(labels.indexOf(frameTypeKey, type));
  }

  #addStack(stack: number, index: number): void {
    const { stacks, depth } = this.#context.tables;
    if (stack >= stacks.isCut.length) {
      const message = `A sample names the stack ${stack}, and there are ${stacks.isCut.length}.`;
      throw new Refusal("invalid", message, "sample.stack_index", this.#wire.at);
    }
    const from = stacks.start[stack];
    const to = stacks.start[stack + 1];
    const into = this.#location;
    if (into.length + to - from > this.#context.limits.frames)
      depth.refuse(into.length + to - from, this.#wire.at);
    into.reserve(to - from);
    const { array } = into;
    for (let at = from, filled = into.length; at < to; at++) array[filled++] = stacks.location[at];
    into.length += to - from;
    this.#cutSamples += stacks.isCut[stack];
    this.#locationStart[index + 1] = into.length;
  }

  /** Columns beyond 2^53 are read again as 64-bit integers. */
  #valueColumns(typeOf: readonly number[]): ValueColumn[] {
    return this.#values.map((column, type) =>
      this.#magnitude[type] <= Number.MAX_SAFE_INTEGER ? column : this.#wide(column, type, typeOf),
    );
  }

  #wide(column: Float64Array, type: number, typeOf: readonly number[]): BigInt64Array {
    const wide = new BigInt64Array(column.length);
    let index = 0;
    for (const [at, { samples }] of this.#context.sent.entries()) {
      for (let i = 0; i < samples.length; i += 2, index++) {
        if (typeOf[at] !== type) continue;
        wide[index] = this.#sumOf(samples[i], samples[i + 1]) ?? BigInt(column[index]);
      }
    }
    return wide;
  }

  /** The exact sum of a sample's values; undefined if it has none. */
  #sumOf(start: number, end: number): bigint | undefined {
    const wire = this.#wire;
    const { values } = this.#tags;
    let sum: bigint | undefined;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== values && tag !== (values & ~7)) {
        wire.other(tag, end, "sample", []);
        continue;
      }
      const stop = tag === values ? wire.block(end, "sample.values") : wire.pos + 1;
      while (wire.pos < stop) {
        wire.varint(end);
        sum = (sum ?? 0n) + wire.bigint();
      }
    }
    return sum;
  }
}

function refuseValueless(offset: number): never {
  throw new Refusal("invalid", "A sample has neither values nor timestamps.", "sample.values", offset);
}

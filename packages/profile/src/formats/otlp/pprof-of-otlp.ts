import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import type { Bytes } from "#model/units.ts";
import { Output, tooLong } from "#wire/output.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { AttributeReader } from "./attributes.ts";
import { processKeys } from "./labels.ts";
import { readIndexes } from "./layout.ts";
import { AddedStrings, giveUp, indexIn, stringTag } from "./pprof-output.ts";
import { PprofTables } from "./pprof-tables.ts";
import { type OtlpRequest, outlineOf, type SentProfile, type Span, spanOf } from "./request.ts";

/**
 * A request of one sample type as pprof, which the fast reader reads: bytes are copied, and no name is decoded. The id of an entry is its
 * index, so that stacks and lines stay as they are. Undefined for a request that is broken or uncommon: `readOtlp` reads it, with the same result.
 */
export function pprofOfOtlp(bytes: Uint8Array, limits: ReadLimits, bytesMax: Bytes): Uint8Array | undefined {
  try {
    const request = outlineOf(bytes, limits);
    const sent = request.profiles.filter(({ samples }) => samples.length > 0);
    if (sent.length === 0) return undefined;
    return new Conversion(request, sent, bytesMax).profile();
  } catch (error) {
    if (error instanceof Refusal || error === tooLong) return undefined;
    throw error;
  }
}

/** Working memory that is used again: the fast reader copies the profile. */
const indexMemory = new GrowableUint32(64);
const memory = {
  profile: new Output(),
  functions: new Output(),
  strings: new Output(),
  labels: new Output(),
};

class Conversion {
  readonly #request: OtlpRequest;
  readonly #sent: readonly SentProfile[];
  readonly #wire: WireReader;
  readonly #attributes: AttributeReader;
  readonly #out: Output;
  /** Labels as fields of a sample, one after the other. */
  readonly #labels: Output;
  readonly #strings: AddedStrings;
  readonly #tables: PprofTables;
  readonly #indexes = indexMemory;
  /** By attribute: start and end of its label, once it was needed. */
  readonly #labelOf: Uint32Array;
  #stack = 0;
  #value = 0;
  #valueCount = 0;
  #times = 0;

  constructor(request: OtlpRequest, sent: readonly SentProfile[], bytesMax: Bytes) {
    this.#request = request;
    this.#sent = sent;
    this.#wire = request.wire;
    this.#attributes = new AttributeReader(request);
    this.#out = memory.profile.clear(bytesMax);
    this.#labels = memory.labels.clear(bytesMax);
    this.#labelOf = new Uint32Array(request.tables.attribute.length);
    this.#strings = new AddedStrings(request.tables.string.length / 2, memory.strings.clear(bytesMax));
    this.#tables = new PprofTables(request, {
      attributes: this.#attributes,
      strings: this.#strings,
      out: this.#out,
      functions: memory.functions.clear(bytesMax),
    });
  }

  /** Undefined if the profiles have several sample types. */
  profile(): Uint8Array | undefined {
    const types = this.#sent.map((profile) => this.#attributes.sampleType(profile));
    const [{ type, unit }] = types as [(typeof types)[0]];
    if (types.some((each) => each.type !== type || each.unit !== unit)) return undefined;
    this.#valueType(0x0a, { type, unit });
    this.#tables.write();
    this.#samples();
    this.#header();
    this.#writeStrings();
    return this.#out.bytes.subarray(0, this.#out.length);
  }

  #valueType(tag: number, { type, unit }: { readonly type: string; readonly unit: string }): void {
    const out = this.#out;
    const start = out.open(tag);
    out.varint(0x08);
    out.varint(this.#strings.indexOf(type));
    out.varint(0x10);
    out.varint(this.#strings.indexOf(unit));
    out.close(start);
  }

  #header(): void {
    const [timeNs, durationNs] = spanOf(this.#sent);
    const found = this.#sent.find(({ period, periodType: [start, end] }) => period !== 0n && end > start);
    this.#out.bigint(0x48, timeNs);
    this.#out.bigint(0x50, durationNs);
    if (found === undefined) return;
    this.#valueType(0x5a, this.#attributes.valueType(found.periodType));
    this.#out.bigint(0x60, found.period);
  }

  #writeStrings(): void {
    const { string } = this.#request.tables;
    const { bytes } = this.#wire;
    const out = this.#out;
    for (let i = 0; i < string.length; i += 2) {
      out.varint(stringTag);
      out.varint(string[i + 1] - string[i]);
      out.copy(bytes, string[i], string[i + 1]);
    }
    const { fields } = this.#strings;
    out.copy(fields.bytes, 0, fields.length);
  }

  #samples(): void {
    for (const { samples, resource } of this.#sent) {
      const from = this.#labels.length;
      for (const [key, value] of this.#attributes.ofMessage(resource, 1)) {
        if (processKeys.has(key) && value !== "")
          this.#textLabel(this.#strings.indexOf(key), this.#strings.indexOf(value));
      }
      const to = this.#labels.length;
      for (let i = 0; i < samples.length; i += 2) this.#sample(samples[i], samples[i + 1], [from, to]);
    }
  }

  /** Copies the locations of a stack; returns the one at the leaf, 0 without any. */
  #addStack(index: number): number {
    const { stack } = this.#request.tables;
    const wire = this.#wire;
    if (2 * index >= stack.length) giveUp(wire);
    const end = stack[2 * index + 1];
    wire.pos = stack[2 * index];
    this.#out.copy(wire.bytes, wire.pos, end);
    if (wire.pos === end) return 0;
    // One packed list, and nothing else.
    if (wire.tag(end) !== 0x0a || wire.block(end, "stack") !== end || wire.pos === end) giveUp(wire);
    return indexIn(wire, end);
  }

  /** `shared`: the labels of the resource. */
  #sample(start: number, end: number, shared: Span): void {
    const wire = this.#wire;
    const indexes = this.#indexes.clear();
    this.#stack = 0;
    this.#value = 0;
    this.#valueCount = 0;
    this.#times = 0;
    wire.pos = start;
    while (wire.pos < end) this.#readField(wire.tag(end), end);
    if (this.#valueCount === 0) {
      this.#value = this.#times;
      if (this.#times === 0 || !Number.isInteger(this.#times)) giveUp(wire);
    }
    const entry = this.#out.open(0x12);
    const leaf = this.#addStack(this.#stack);
    this.#addValue(this.#value);
    for (let at = 0; at < indexes.length; at++) this.#addLabel(indexes.array[at]);
    this.#out.copy(this.#labels.bytes, shared[0], shared[1]);
    const type = this.#tables.frameTypes[leaf] ?? 0;
    if (type !== 0) this.#addLabel(type - 1);
    this.#out.close(entry);
  }

  #readField(tag: number, end: number): void {
    const wire = this.#wire;
    const { attributes, values } = this.#request.sample;
    if (tag === 0x08) this.#stack = indexIn(wire, end);
    else if (tag === attributes) readIndexes(wire, tag, end, this.#indexes);
    else if (tag === values) {
      const stop = wire.block(end, "sample.values");
      for (; wire.pos < stop; this.#valueCount++) {
        wire.varint(end);
        this.#value += wire.signed();
        // The general reader has values that no double has.
        if (!Number.isSafeInteger(this.#value)) giveUp(wire);
      }
    } else if (tag === 0x2a) {
      const stop = wire.block(end, "sample.timestamps_unix_nano");
      this.#times += (stop - wire.pos) / 8;
      wire.pos = stop;
    }
    // Links, and lists that are not packed.
    else if ((tag & 7) === 0 || tag === 0x29) giveUp(wire);
    else wire.other(tag, end, "sample", []);
  }

  /** Not packed, as a list of one. */
  #addValue(value: number): void {
    const out = this.#out;
    if (value >= 0 && value < 0x80000000) {
      out.varint(0x10);
      out.varint(value);
    } else out.bigint(0x10, BigInt(value));
  }

  #addLabel(attribute: number): void {
    const labelOf = this.#labelOf;
    if ((labelOf[2 * attribute + 1] ?? 0) === 0) {
      const start = this.#labels.length;
      this.#writeLabel(attribute);
      labelOf[2 * attribute] = start;
      labelOf[2 * attribute + 1] = this.#labels.length;
    }
    this.#out.copy(this.#labels.bytes, labelOf[2 * attribute], labelOf[2 * attribute + 1]);
  }

  #writeLabel(attribute: number): void {
    if (this.#writePlainLabel(attribute)) return;
    const { key, value, unit, number } = this.#attributes.entry(attribute);
    const keyIndex = this.#strings.indexOf(key);
    if (number === undefined || unit === "") {
      this.#textLabel(keyIndex, this.#strings.indexOf(value));
      return;
    }
    const out = this.#labels;
    const label = out.open(0x1a);
    out.varint(0x08);
    out.varint(keyIndex);
    out.bigint(0x18, number);
    out.varint(0x20);
    out.varint(this.#strings.indexOf(unit));
    out.close(label);
  }

  /** Most attributes have a key and a text, or a number without a unit. Returns false for others, and for texts that are not ASCII. */
  #writePlainLabel(attribute: number): boolean {
    const wire = this.#wire;
    const { attribute: attributes, string } = this.#request.tables;
    if (2 * attribute >= attributes.length) return false;
    const end = attributes[2 * attribute + 1];
    let key = 0;
    let value = -1;
    wire.pos = attributes[2 * attribute];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08 && key === 0) key = indexIn(wire, end);
      else if (tag === 0x12 && value < 0) value = this.#plainText(wire.block(end, "attribute.value"));
      else return false;
      if (value === unusual) return false;
    }
    if (value < 0 || 2 * key >= string.length || !isAscii(wire.bytes, string[2 * key], string[2 * key + 1]))
      return false;
    this.#textLabel(string[2 * key] === string[2 * key + 1] ? 0 : key, value);
    return true;
  }

  /** Adds a value that ends at `end` to the strings. */
  #plainText(end: number): number {
    const wire = this.#wire;
    if (wire.pos === end) return unusual;
    const tag = wire.tag(end);
    if (tag === 0x0a) {
      const stop = wire.block(end, "attribute.value");
      const start = wire.pos;
      if (stop !== end || !isAscii(wire.bytes, start, end)) return unusual;
      wire.pos = end;
      return this.#strings.copy(wire.bytes, start, end);
    }
    if (tag !== 0x18) return unusual;
    wire.varint(end);
    const number = wire.signed();
    return wire.pos === end && Number.isSafeInteger(number) ? this.#strings.indexOf(String(number)) : unusual;
  }

  #textLabel(key: number, text: number): void {
    const out = this.#labels;
    const label = out.open(0x1a);
    out.varint(0x08);
    out.varint(key);
    if (text !== 0) {
      out.varint(0x10);
      out.varint(text);
    }
    out.close(label);
  }
}

/** No index of a string: the value has another form. */
const unusual = -2;

function isAscii(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] >= 0x80) return false;
  return true;
}

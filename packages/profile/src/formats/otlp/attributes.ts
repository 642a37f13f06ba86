import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { decodeText, type WireReader } from "#wire/wire-reader.ts";
import type { OtlpRequest, SentProfile, Span } from "./request.ts";

export type Attribute = readonly [key: string, value: string];

/** An entry of the attribute table. `unit` is "" for most. */
export interface Entry {
  readonly key: string;
  readonly value: string;
  readonly unit: string;
  /** Set for whole numbers. */
  readonly number: bigint | undefined;
}

/** Entries of the table that are decoded once. */
const cachedMax = 65_536;
/** The most that a resource, a scope, a profile or a list has. */
export const attributesMax = 1000;
/** Characters of all attributes of a resource. */
const textMax = 64 * 1024;
const depthMax = 16;

/** Reads attributes as texts. Values that are no text become one: numbers in decimal, bytes in hex, lists and maps as JSON. */
export class AttributeReader {
  readonly #wire: WireReader;
  readonly #strings: Uint32Array;
  readonly #table: Uint32Array;
  readonly #cached = new Map<number, Entry>();
  readonly #ofMessages = new WeakMap<Span, readonly Attribute[]>();

  constructor({ wire, tables }: OtlpRequest) {
    this.#wire = wire;
    this.#strings = tables.string;
    this.#table = tables.attribute;
  }

  /** The attributes of a resource (field 1) or scope (field 3). */
  ofMessage(span: Span, field: 1 | 3): readonly Attribute[] {
    const found = this.#ofMessages.get(span) ?? this.#readAttributes(span, field);
    this.#ofMessages.set(span, found);
    return found;
  }

  #readAttributes([start, end]: Span, field: 1 | 3): Attribute[] {
    const wire = this.#wire;
    const found: Attribute[] = [];
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== field * 8 + 2) {
        wire.other(tag, end, "resource", []);
        continue;
      }
      if (found.length === attributesMax) {
        const message = `A resource has more than ${attributesMax} attributes.`;
        throw new Refusal("invalid", message, "resource.attributes", wire.at);
      }
      found.push(this.#keyValue(wire.block(end, "attributes"), 0) as Attribute);
    }
    const texts = found.map(([key, value]): Attribute => [key, textOf(value)]);
    if (texts.reduce((sum, [key, value]) => sum + key.length + value.length, 0) <= textMax) return texts;
    const message = `The attributes of a resource are longer than ${textMax} characters.`;
    throw new Refusal("invalid", message, "resource.attributes", start);
  }

  entry(index: number): Entry {
    const cached = this.#cached.get(index);
    if (cached !== undefined) return cached;
    const entry = this.#decoded(index);
    if (this.#cached.size < cachedMax) this.#cached.set(index, entry);
    return entry;
  }

  #decoded(index: number): Entry {
    const wire = this.#wire;
    if (2 * index >= this.#table.length) {
      const message = `An attribute index is ${index}, the attribute table has ${this.#table.length / 2} entries.`;
      throw new Refusal("invalid", message, "attribute_indices", wire.at);
    }
    let key = "";
    let unit = "";
    let value: unknown = "";
    let number: bigint | undefined;
    const end = this.#table[2 * index + 1];
    wire.pos = this.#table[2 * index];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) key = this.#stringAt(end);
      else if (tag === 0x18) unit = this.#stringAt(end);
      else if (tag === 0x12) {
        value = this.#anyValue(wire.block(end, "attribute.value"), 0);
        number = typeof value === "bigint" ? value : undefined;
      } else wire.other(tag, end, "attribute", []);
    }
    return { key, unit, value: textOf(value), number };
  }

  string(index: number): string {
    if (2 * index >= this.#strings.length) {
      const message = `A string index is ${index}, the string table has ${this.#strings.length / 2} entries.`;
      throw new Refusal("invalid", message, "string_table", this.#wire.at);
    }
    return decodeText(this.#wire.bytes.subarray(this.#strings[2 * index], this.#strings[2 * index + 1]));
  }

  valueType([start, end]: Span): ValueType {
    const wire = this.#wire;
    let [type, unit] = ["", ""];
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x08) type = this.#stringAt(end);
      else if (tag === 0x10) unit = this.#stringAt(end);
      else wire.other(tag, end, "value_type", []);
    }
    return { type, unit };
  }

  /** Of `profile`. */
  sampleType({ sampleType }: SentProfile): ValueType {
    const { type, unit } = this.valueType(sampleType);
    if (type === "") {
      throw new Refusal(
        "invalid",
        "A profile has samples and no sample type.",
        "profile.sample_type",
        sampleType[0],
      );
    }
    // The name under which the eBPF profiler sent waiting times until 2025.
    return type === "events" && unit === "nanoseconds" ? { type: "off_cpu", unit } : { type, unit };
  }

  #stringAt(end: number): string {
    const wire = this.#wire;
    wire.varint(end);
    return this.string(wire.hi === 0 ? wire.lo : 0xffffffff);
  }

  #keyValue(end: number, depth: number): [key: string, value: unknown] {
    const wire = this.#wire;
    let key = "";
    let value: unknown = "";
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x0a) key = this.#text(end);
      else if (tag === 0x18) key = this.#stringAt(end);
      else if (tag === 0x12) value = this.#anyValue(wire.block(end, "attribute.value"), depth);
      else wire.other(tag, end, "attribute", []);
    }
    return [key, value];
  }

  #anyValue(end: number, depth: number): unknown {
    const wire = this.#wire;
    let value: unknown = "";
    if (depth > depthMax) {
      throw new Refusal(
        "invalid",
        "The value of an attribute is nested too deeply.",
        "attribute.value",
        wire.at,
      );
    }
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x0a) value = this.#text(end);
      else if (tag === 0x10) {
        wire.varint(end);
        value = wire.lo !== 0;
      } else if (tag === 0x18) {
        wire.varint(end);
        value = wire.bigint();
      } else if (tag === 0x21) {
        wire.fixed64(end, "attribute.value");
        value = doubleOf(wire);
      } else if (tag === 0x2a) value = this.#list(wire.block(end, "attribute.value"), depth);
      else if (tag === 0x32) {
        value = Object.fromEntries(this.#pairs(wire.block(end, "attribute.value"), depth));
      } else if (tag === 0x3a) {
        const stop = wire.block(end, "attribute.value");
        value = hexOf(wire.bytes.subarray(wire.pos, stop));
        wire.pos = stop;
      } else if (tag === 0x40) value = this.#stringAt(end);
      else wire.other(tag, end, "attribute", []);
    }
    return value;
  }

  #list(end: number, depth: number): unknown[] {
    return this.#each(end, (stop) => this.#anyValue(stop, depth + 1));
  }

  #pairs(end: number, depth: number): [string, unknown][] {
    return this.#each(end, (stop) => this.#keyValue(stop, depth + 1));
  }

  /** Calls `read` with the end of each message of field 1. */
  #each<T>(end: number, read: (end: number) => T): T[] {
    const wire = this.#wire;
    const found: T[] = [];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x0a) wire.other(tag, end, "attribute", []);
      else if (found.length < attributesMax) found.push(read(wire.block(end, "attribute.value")));
      else wire.pos = wire.block(end, "attribute.value");
    }
    return found;
  }

  #text(end: number): string {
    const wire = this.#wire;
    const stop = wire.block(end, "attribute.value");
    const text = decodeText(wire.bytes.subarray(wire.pos, stop));
    wire.pos = stop;
    return text;
  }
}

function textOf(value: unknown): string {
  if (typeof value === "object")
    return JSON.stringify(value, (_, inner) => (typeof inner === "bigint" ? String(inner) : inner));
  return String(value);
}

function doubleOf({ lo, hi }: WireReader): number {
  return new Float64Array(Uint32Array.of(lo, hi).buffer)[0];
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

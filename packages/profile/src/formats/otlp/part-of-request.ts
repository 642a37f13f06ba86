import { Refusal } from "#model/profile-error.ts";
import { Output, tooLong } from "#wire/output.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { layout18 } from "./layout.ts";
import type { OtlpRequest, SentProfile, Span } from "./request.ts";
import {
  entries,
  type Message,
  profile as profileMessage,
  resourceProfiles,
  sample,
  sampleOf18,
  scopeProfiles,
  type Table,
  tables,
} from "./schema.ts";

/** The samples of each profile that belong to a part: starts and ends. */
export type SamplesOf = ReadonlyMap<SentProfile, Uint32Array>;

/** The tables that have indexes; each refers only to tables behind it. */
const order = ["stack", "location", "function", "mapping", "link", "attribute"] as const;

const depthMax = 64;

/** Memory that is used again: a part is copied from it. */
const memory = new Output();

/**
 * Writes requests with some samples of another one: the bytes of their messages as they were sent, with other indexes. Entries of the
 * dictionary are numbered in the order in which the part names them, and entries that it does not name are left out, so that the
 * cost of a part follows from its samples.
 */
export class PartWriter {
  readonly #request: OtlpRequest;
  readonly #wire: WireReader;
  /** By place in `tables`. */
  readonly #entries: readonly NamedEntries[];
  #out = memory;

  constructor(request: OtlpRequest) {
    this.#request = request;
    this.#wire = request.wire;
    this.#entries = tables.map((table) => new NamedEntries(request.tables[table].length / 2));
  }

  /** @throws Refusal if the part is longer than `bytesMax` */
  write(samplesOf: SamplesOf, bytesMax: number): Uint8Array<ArrayBuffer> {
    this.#out = memory.clear(bytesMax);
    try {
      this.#profiles(samplesOf);
      this.#dictionary();
      if (this.#out.length > bytesMax) throw tooLong;
      return this.#out.bytes.slice(0, this.#out.length);
    } catch (error) {
      if (error !== tooLong) throw error;
      const message = "The request has so many services that its dictionary is too large for each of them.";
      throw new Refusal("too_large", message, "bytes", 0);
    } finally {
      for (const named of this.#entries) named.clear();
    }
  }

  #profiles(samplesOf: SamplesOf): void {
    const out = this.#out;
    const sampleMessage = this.#request.sample === layout18 ? sampleOf18 : sample;
    for (const [{ fields }, samples] of samplesOf) {
      const resource = out.open(0x0a);
      this.#copyAll(resourceProfiles, fields.resource);
      const scope = out.open(0x12);
      this.#copyAll(scopeProfiles, fields.scope);
      const profile = out.open(0x12);
      this.#copyAll(profileMessage, fields.profile);
      for (let i = 0; i < samples.length; i += 2)
        this.#entry(0x12, sampleMessage, samples[i], samples[i + 1]);
      out.close(profile);
      out.close(scope);
      out.close(resource);
    }
  }

  #dictionary(): void {
    const dictionary = this.#out.open(0x12);
    for (const table of order) {
      const spans = this.#request.tables[table];
      for (const entry of this.#namedOf(table))
        this.#entry(tagOf(table), entries[table], spans[2 * entry], spans[2 * entry + 1]);
    }
    const { string } = this.#request.tables;
    for (const entry of this.#namedOf("string")) {
      const [start, end] = [string[2 * entry], string[2 * entry + 1]];
      this.#out.varint(tagOf("string"));
      this.#out.varint(end - start);
      this.#out.copy(this.#wire.bytes, start, end);
    }
    this.#out.close(dictionary);
  }

  #namedOf(table: Table): readonly number[] {
    return this.#entries[tables.indexOf(table)].named;
  }

  #copyAll(message: Message, spans: readonly Span[]): void {
    for (const [start, end] of spans) this.#copy(message, start, end, 0);
  }

  #entry(tag: number, message: Message, start: number, end: number): void {
    const entry = this.#out.open(tag);
    this.#copy(message, start, end, 0);
    this.#out.close(entry);
  }

  /** Copies the fields of a message, with new indexes. */
  #copy(message: Message, start: number, end: number, depth: number): void {
    const wire = this.#wire;
    const out = this.#out;
    if (depth > depthMax)
      throw new Refusal("invalid", "The request is nested too deeply.", "attribute.value", wire.at);
    wire.pos = start;
    while (wire.pos < end) {
      const from = wire.pos;
      const tag = wire.tag(end);
      const field = message[(tag >>> 3) - 1];
      const isBlock = (tag & 7) === 2;
      if (field?.table !== undefined && (isBlock || (tag & 7) === 0)) {
        this.#copyIndexes(this.#entries[field.table], tag, end);
      } else if (field?.message !== undefined && isBlock) {
        const stop = wire.block(end, field.name);
        const inner = out.open(tag);
        this.#copy(field.message(), wire.pos, stop, depth + 1);
        out.close(inner);
      } else {
        wire.other(tag, end, "request", []);
        out.copy(wire.bytes, from, wire.pos);
      }
    }
  }

  #copyIndexes(named: NamedEntries, tag: number, end: number): void {
    const wire = this.#wire;
    const out = this.#out;
    if ((tag & 7) === 0) {
      out.varint(tag);
      this.#copyIndex(named, end);
      return;
    }
    const stop = wire.block(end, "indices");
    const list = out.open(tag);
    // Most are indexes of one or two bytes, and a call for each of them takes several times as long.
    const { bytes } = wire;
    while (wire.pos < stop) {
      const { pos } = wire;
      const isLong = bytes[pos] >= 0x80;
      const index = isLong ? (bytes[pos] & 0x7f) | (bytes[pos + 1] << 7) : bytes[pos];
      const next = isLong ? pos + 2 : pos + 1;
      if (next > stop || bytes[next - 1] >= 0x80 || index >= named.tableLength) this.#copyIndex(named, stop);
      else {
        out.varint(named.indexOf(index));
        wire.pos = next;
      }
    }
    out.close(list);
  }

  /** An index that the table does not have stays as it is, and is left to the reader. */
  #copyIndex(named: NamedEntries, end: number): void {
    const wire = this.#wire;
    const from = wire.pos;
    wire.varint(end);
    if (wire.hi === 0 && wire.lo < named.tableLength) this.#out.varint(named.indexOf(wire.lo));
    else this.#out.copy(wire.bytes, from, wire.pos);
  }
}

/** The entries of a table that a part names, by their new indexes. Entry 0 is always the first. */
class NamedEntries {
  readonly tableLength: number;
  /** By entry: its new index; 0 for entry 0, and for entries that were not named. */
  readonly #indexes: Uint32Array;
  readonly named: number[] = [];

  constructor(tableLength: number) {
    this.tableLength = tableLength;
    this.#indexes = new Uint32Array(tableLength);
    this.clear();
  }

  indexOf(entry: number): number {
    if (entry === 0) return 0;
    if (this.#indexes[entry] === 0) this.#indexes[entry] = this.named.push(entry) - 1;
    return this.#indexes[entry];
  }

  clear(): void {
    for (const entry of this.named) this.#indexes[entry] = 0;
    this.named.length = 0;
    if (this.tableLength > 0) this.named.push(0);
  }
}

function tagOf(table: Table): number {
  return ((tables.indexOf(table) + 1) << 3) | 2;
}

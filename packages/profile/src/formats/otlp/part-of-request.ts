import { Refusal } from "#model/profile-error.ts";
import type { WireReader } from "#wire/wire-reader.ts";
import { WireWriter } from "#wire/wire-writer.ts";
import { layout18 } from "./layout.ts";
import type { OtlpRequest, SentProfile, Span } from "./request.ts";
import {
  entries,
  type Field,
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

/** The used entries of each table. */
type Used = Readonly<Record<Table, Set<number>>>;

/** A table whose entries refer only to tables behind it. */
const order = ["stack", "location", "function", "mapping", "link", "attribute"] as const;

/**
 * A request with some samples of another one: the bytes of their messages as they were sent. The dictionary keeps its indexes: an entry
 * that the samples do not use is empty, and those behind the last used one are left out.
 *
 * @throws Refusal if it is longer than `bytesMax`
 */
export function requestOf(
  request: OtlpRequest,
  samplesOf: SamplesOf,
  bytesMax: number,
): Uint8Array<ArrayBuffer> {
  const used = usedBy(request, samplesOf);
  const writer = new WireWriter();
  const { bytes } = request.wire;
  const raw = (spans: readonly Span[]) => {
    for (const span of spans) writer.raw(bytes.subarray(...span));
  };
  for (const [{ fields }, samples] of samplesOf) {
    writer.block(1, () => {
      raw(fields.resource);
      writer.block(2, () => {
        raw(fields.scope);
        writer.block(2, () => {
          raw(fields.profile);
          for (let i = 0; i < samples.length; i += 2) {
            writer.block(2, () => writer.raw(bytes.subarray(samples[i], samples[i + 1])));
          }
        });
      });
    });
  }
  checkSize(request, used, bytesMax);
  writer.block(2, () => {
    for (const [at, table] of tables.entries()) {
      const spans = request.tables[table];
      const length = lengthOf(used[table]);
      for (let entry = 0; entry < length; entry++) {
        const [start, end] = used[table].has(entry) ? [spans[2 * entry], spans[2 * entry + 1]] : [0, 0];
        writer.block(at + 1, () => writer.raw(bytes.subarray(start, end)));
      }
    }
  });
  return writer.toBytes();
}

/** The number of entries up to the last used one. Entry 0 is always there. */
function lengthOf(used: ReadonlySet<number>): number {
  let last = 0;
  for (const entry of used) if (entry > last) last = entry;
  return last + 1;
}

function checkSize({ tables: spans }: OtlpRequest, used: Used, bytesMax: number): void {
  let bytes = 0;
  for (const table of tables) {
    bytes += 2 * lengthOf(used[table]);
    for (const entry of used[table]) bytes += spans[table][2 * entry + 1] - spans[table][2 * entry];
  }
  if (bytes <= bytesMax) return;
  throw new Refusal(
    "too_large",
    "The request has so many services that its dictionary is too large for each of them.",
    "bytes",
    0,
  );
}

function usedBy(request: OtlpRequest, samplesOf: SamplesOf): Used {
  const used = Object.fromEntries(tables.map((table) => [table, new Set<number>()])) as unknown as Used;
  for (const table of tables) if (request.tables[table].length > 0) used[table].add(0);
  const marks = new Marks(request, used);
  const sampleMessage = request.sample === layout18 ? sampleOf18 : sample;
  for (const [{ fields }, samples] of samplesOf) {
    for (const [start, end] of fields.resource) marks.add(resourceProfiles, start, end);
    for (const [start, end] of fields.scope) marks.add(scopeProfiles, start, end);
    for (const [start, end] of fields.profile) marks.add(profileMessage, start, end);
    for (let i = 0; i < samples.length; i += 2) marks.add(sampleMessage, samples[i], samples[i + 1]);
  }
  for (const table of order) {
    const spans = request.tables[table];
    for (const entry of used[table]) marks.add(entries[table], spans[2 * entry], spans[2 * entry + 1]);
  }
  return used;
}

const depthMax = 64;

/** Notes the entries to which messages refer. Indexes that a table does not have are left to the reader. */
class Marks {
  readonly #wire: WireReader;
  readonly #tables: OtlpRequest["tables"];
  readonly #used: Used;

  constructor({ wire, tables }: OtlpRequest, used: Used) {
    this.#wire = wire;
    this.#tables = tables;
    this.#used = used;
  }

  add(message: Message, start: number, end: number, depth = 0): void {
    const wire = this.#wire;
    if (depth > depthMax)
      throw new Refusal("invalid", "The request is nested too deeply.", "attribute.value", wire.at);
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const field = message.find(({ number }) => number === tag >>> 3);
      if (field?.table !== undefined) this.#addIndexes(field.table, tag, end, field);
      else if (field?.message !== undefined && (tag & 7) === 2) {
        const stop = wire.block(end, field.name);
        this.add(field.message(), wire.pos, stop, depth + 1);
      } else wire.other(tag, end, "request", []);
    }
  }

  #addIndexes(table: Table, tag: number, end: number, { name }: Field): void {
    const wire = this.#wire;
    const length = this.#tables[table].length / 2;
    if ((tag & 7) !== 0 && (tag & 7) !== 2) {
      wire.other(tag, end, "request", []);
      return;
    }
    const stop = (tag & 7) === 2 ? wire.block(end, name) : wire.pos + 1;
    while (wire.pos < stop) {
      wire.varint(end);
      if (wire.hi === 0 && wire.lo < length) this.#used[table].add(wire.lo);
    }
  }
}

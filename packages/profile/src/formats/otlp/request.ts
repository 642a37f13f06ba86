import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import { Refusal } from "#model/profile-error.ts";
import { decodeText, WireReader } from "#wire/wire-reader.ts";
import { readIndexes, type SampleTags, tagsOf } from "./layout.ts";
import { type Table, tables } from "./schema.ts";

/**
 * Where the messages of an OTLP request are. Requests of 1.9 and later are read, and those of 1.8, whose samples have other field
 * numbers. Before 1.8 profiles had other fields and, before 1.7, their own tables.
 *
 * ```
 * ExportProfilesServiceRequest { ResourceProfiles { Resource, ScopeProfiles { Scope, Profile { Sample } } }, Dictionary { tables } }
 * ```
 */
export interface OtlpRequest {
  readonly wire: WireReader;
  /** Starts and ends of the entries. */
  readonly tables: Readonly<Record<Table, Uint32Array>>;
  readonly profiles: readonly SentProfile[];
  readonly sample: SampleTags;
}

/** Start and end in the bytes. */
export type Span = readonly [number, number];

/** One `Profile`, and what is around it. */
export interface SentProfile {
  readonly resource: Span;
  readonly scope: Span;
  /** The fields of ResourceProfiles, ScopeProfiles and Profile, with their tags, without the messages inside them. */
  readonly fields: {
    readonly resource: readonly Span[];
    readonly scope: readonly Span[];
    readonly profile: readonly Span[];
  };
  readonly sampleType: Span;
  readonly samples: Uint32Array;
  readonly timeNs: bigint;
  readonly durationNs: bigint;
  readonly periodType: Span;
  readonly period: bigint;
  readonly attributes: Uint32Array;
  readonly originalFormat: string;
  readonly original: Uint8Array;
}

/** In one request. */
const profilesMax = 10_000;
/** Fields of one message, counting neighbours as one. */
const fieldsMax = 1000;

const none: Span = [0, 0];
const limitOf = {
  mapping: "mappings",
  location: "locations",
  function: "functions",
  link: "samples",
  string: "strings",
  attribute: "labels",
  stack: "samples",
} as const satisfies Record<Table, keyof ReadLimits>;

const dictionaryFields = ["", ...tables.map((table) => `${table}_table`)];
const requestFields = ["", "resource_profiles", "dictionary"];

/**
 * pprof and an OTLP request both begin with field 1 or 2, a message. In pprof field 1 is a value type, whose fields are numbers; in OTLP
 * it is resource profiles, whose fields are messages. Field 2 of pprof is a sample, which has values; in OTLP it is the dictionary,
 * whose first field is a table with an empty first entry, or one that samples do not have. A sample without a stack may begin with an
 * empty list too; its values follow, where the dictionary has another empty entry.
 */
export function isOtlpRequest(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x0a && bytes[0] !== 0x12) return false;
  let inner = 1;
  while (inner < 11 && bytes[inner] >= 0x80) inner++;
  if (bytes[inner] === 0) return false;
  const tag = bytes[inner + 1];
  if (bytes[0] === 0x0a) return tag === 0x0a || tag === 0x12 || tag === 0x1a;
  if (tag === 0x0a && bytes[inner + 2] === 0) return bytes[inner + 3] !== 0x12 || bytes[inner + 4] === 0;
  return tag === 0x22 || tag === 0x2a || tag === 0x32 || tag === 0x3a;
}

/** A request is split first and then read: what was found is used again. */
const outlines = new WeakMap<Uint8Array, { readonly request: OtlpRequest; readonly limits: ReadLimits }>();

/** @throws Refusal */
export function outlineOf(bytes: Uint8Array, limits: ReadLimits): OtlpRequest {
  const before = outlines.get(bytes);
  if (
    before !== undefined &&
    Object.values(limitOf).every((limit) => before.limits[limit] === limits[limit])
  ) {
    return before.request;
  }
  const request = walk(bytes, limits);
  outlines.set(bytes, { request, limits });
  return request;
}

/** Working memory for each table, and for the samples and attributes of a profile. */
const tableMemory = tables.map(() => new GrowableUint32(256));
const sampleMemory = new GrowableUint32(256);
const attributeMemory = new GrowableUint32(16);

function walk(bytes: Uint8Array, limits: ReadLimits): OtlpRequest {
  const wire = new WireReader(bytes);
  const end = bytes.length;
  const entries = tableMemory.map((memory) => memory.clear());
  const resources: Span[] = [];
  let hasDictionary = false;
  let hasStrings = false;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === 0x0a) {
      resources.push(blockOf(wire, end, "resource_profiles"));
      if (resources.length > profilesMax) refuseProfiles();
    } else if (tag === 0x12) {
      hasDictionary = true;
      readDictionary(wire, wire.block(end, "dictionary"), entries, limits);
    } else {
      hasStrings ||= tag === 0x32;
      wire.other(tag, end, "request", requestFields);
    }
  }
  const profiles = new Profiles(wire, limits);
  try {
    for (const span of resources) profiles.readResource(span);
  } catch (error) {
    if (hasDictionary || !(error instanceof Refusal)) throw error;
    refuseOld();
  }
  if (!hasDictionary && profiles.sampleCount > 0) refuseOld();
  // The string table of pprof, whose first fields have the same numbers.
  if (hasStrings && profiles.read.length === 0) refusePprof();
  return {
    wire,
    tables: Object.fromEntries(
      tables.map((table, at) => [table, entries[at].take()]),
    ) as OtlpRequest["tables"],
    profiles: profiles.read,
    sample: tagsOf(wire, profiles.read),
  };
}

/** Reads a length, moves past the message and returns its place. */
function blockOf(wire: WireReader, end: number, field: string): Span {
  const stop = wire.block(end, field);
  const span: Span = [wire.pos, stop];
  wire.pos = stop;
  return span;
}

function readDictionary(
  wire: WireReader,
  end: number,
  entries: readonly GrowableUint32[],
  limits: ReadLimits,
): void {
  let last = 0;
  let found: GrowableUint32 | undefined;
  let wordsMax = 0;
  while (wire.pos < end) {
    const tag = wire.tag(end);
    const table = (tag >>> 3) - 1;
    if (tag !== last) {
      last = tag;
      found = (tag & 7) === 2 ? entries[table] : undefined;
      wordsMax = found === undefined ? 0 : 2 * limits[limitOf[tables[table]]];
    }
    if (found === undefined) {
      wire.other(tag, end, "dictionary", dictionaryFields);
      continue;
    }
    const stop = wire.block(end, dictionaryFields[table + 1]);
    if (found.length === wordsMax) {
      const message = `The request has more than ${wordsMax / 2} entries in its ${tables[table]} table.`;
      throw new Refusal("too_large", message, limitOf[tables[table]], wire.at);
    }
    found.push(wire.pos);
    found.push(stop);
    wire.pos = stop;
  }
}

/** Collects the profiles of a request. */
class Profiles {
  readonly read: SentProfile[] = [];
  sampleCount = 0;
  readonly #wire: WireReader;
  readonly #limits: ReadLimits;

  constructor(wire: WireReader, limits: ReadLimits) {
    this.#wire = wire;
    this.#limits = limits;
  }

  readResource([start, end]: Span): void {
    const { fields, first, messages } = this.#parts([start, end], "resource_profiles");
    for (const span of messages) this.#readScope(span, { resource: first, resourceFields: fields });
  }

  #readScope(span: Span, outer: { readonly resource: Span; readonly resourceFields: readonly Span[] }): void {
    const { fields, first, messages } = this.#parts(span, "scope_profiles");
    for (const message of messages) {
      this.#readProfile(message, {
        resource: outer.resource,
        scope: first,
        fields: { resource: outer.resourceFields, scope: fields },
      });
    }
  }

  /** ResourceProfiles and ScopeProfiles alike: what they describe in field 1, the messages inside in field 2. */
  #parts([start, end]: Span, name: string) {
    const wire = this.#wire;
    const fields: Span[] = [];
    const messages: Span[] = [];
    let first = none;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const { at } = wire;
      if (tag === 0x12) {
        messages.push(blockOf(wire, end, name));
        if (messages.length > profilesMax) refuseProfiles();
        continue;
      }
      if (tag === 0x0a) first = blockOf(wire, end, name);
      else wire.other(tag, end, name, []);
      addField(fields, at, wire.pos);
    }
    return { fields, first, messages };
  }

  #readProfile(
    [start, end]: Span,
    {
      resource,
      scope,
      fields,
    }: Pick<SentProfile, "resource" | "scope"> & { readonly fields: Omit<SentProfile["fields"], "profile"> },
  ): void {
    const wire = this.#wire;
    const samples = sampleMemory.clear();
    const attributes = attributeMemory.clear();
    const own: Span[] = [];
    const found: Facts = {
      sampleType: none,
      periodType: none,
      timeNs: 0n,
      durationNs: 0n,
      period: 0n,
      format: none,
      original: none,
    };
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const { at } = wire;
      if (tag === 0x12) {
        const stop = wire.block(end, "profile.samples");
        if (++this.sampleCount > this.#limits.samples) this.#refuseSamples();
        samples.push(wire.pos);
        samples.push(stop);
        wire.pos = stop;
        continue;
      }
      if (tag === 0x5a || tag === 0x58) readIndexes(wire, tag, end, attributes);
      else readFact(wire, tag, end, found);
      addField(own, at, wire.pos);
    }
    if (this.read.length === profilesMax) refuseProfiles();
    this.read.push({
      resource,
      scope,
      fields: { ...fields, profile: own },
      ...found,
      samples: samples.take(),
      attributes: attributes.take(),
      originalFormat:
        found.format === none ? "" : decodeText(wire.bytes.subarray(...found.format).subarray(0, 100)),
      original: wire.bytes.subarray(...found.original),
    });
  }

  #refuseSamples(): never {
    const { samples } = this.#limits;
    throw new Refusal("too_large", `The request has more than ${samples} samples.`, "samples", this.#wire.at);
  }
}

type Facts = {
  -readonly [K in "sampleType" | "periodType" | "timeNs" | "durationNs" | "period"]: SentProfile[K];
} & { format: Span; original: Span };

function readFact(wire: WireReader, tag: number, end: number, found: Facts): void {
  if (tag === 0x0a) found.sampleType = blockOf(wire, end, "profile.sample_type");
  else if (tag === 0x2a) found.periodType = blockOf(wire, end, "profile.period_type");
  else if (tag === 0x19) {
    wire.fixed64(end, "profile.time_unix_nano");
    found.timeNs = wire.bigint();
  } else if (tag === 0x20) found.durationNs = numberOf(wire, end);
  else if (tag === 0x30) found.period = numberOf(wire, end);
  else if (tag === 0x4a) found.format = blockOf(wire, end, "profile.original_payload_format");
  else if (tag === 0x52) found.original = blockOf(wire, end, "profile.original_payload");
  // The location indexes of 1.7.
  else if (tag === 0x1a) refuseOld();
  else wire.other(tag, end, "profile", []);
}

function addField(fields: Span[], start: number, end: number): void {
  const last = fields.at(-1);
  if (last?.[1] === start) fields[fields.length - 1] = [last[0], end];
  else fields.push([start, end]);
  if (fields.length <= fieldsMax) return;
  throw new Refusal("invalid", "A message of the request repeats its fields too often.", "request", start);
}

function numberOf(wire: WireReader, end: number): bigint {
  wire.varint(end);
  return wire.bigint();
}

/** The time from the first start to the last end. */
export function spanOf(sent: readonly SentProfile[]): [timeNs: bigint, durationNs: bigint] {
  let first = 0n;
  let last = 0n;
  for (const { timeNs, durationNs } of sent) {
    if (timeNs <= 0n) continue;
    if (first === 0n || timeNs < first) first = timeNs;
    const end = timeNs + durationNs;
    if (end > last) last = end;
  }
  return [first, last - first];
}

function refuseProfiles(): never {
  throw new Refusal("too_large", `The request has more than ${profilesMax} profiles.`, "profiles", 0);
}

function refusePprof(): never {
  const message =
    "This is a pprof profile and no OTLP request. POST it to /api/v1/ingest/profiles?service=NAME.";
  throw new Refusal("not_pprof", message, "request", 0);
}

function refuseOld(): never {
  throw new Refusal(
    "not_pprof",
    "This is an OTLP request of version 1.7 or older of the protocol, whose profiles have other fields. Update the program that sends it: 1.8 and later are read.",
    "request",
    0,
  );
}

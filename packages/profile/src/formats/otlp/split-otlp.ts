import { GrowableUint32 } from "#memory/growable.ts";
import type { ReadLimits } from "#model/limits.ts";
import { type ProfileError, Refusal } from "#model/profile-error.ts";
import { decodeText } from "#wire/wire-reader.ts";
import { type Attribute, AttributeReader, attributesMax } from "./attributes.ts";
import { processKeys } from "./labels.ts";
import { readIndexes } from "./layout.ts";
import { otlpOfJson } from "./otlp-json.ts";
import { PartWriter, type SamplesOf } from "./part-of-request.ts";
import { isOtlpRequest, type OtlpRequest, outlineOf, type SentProfile } from "./request.ts";

/**
 * A profile for the store: samples of an OTLP request that have one service, sample type and minute, and the same tags. An agent
 * sends those of all processes of a host in one request.
 */
export interface OtlpPart {
  /** Undefined if neither a service nor a program is named. */
  readonly service: string | undefined;
  /** Whether the name is that of a program. */
  readonly isExecutable: boolean;
  readonly tags: readonly Attribute[];
  /** The number of `Profile` messages that it is made of. */
  readonly profiles: number;
  /** Whether it is the profile from which the sender made the OTLP form. */
  readonly isOriginal: boolean;
  /**
   * A request with this part alone, or the original profile. Undefined if the part is the whole request.
   *
   * @throws Refusal if it is longer than `bytesMax`
   */
  bytes(bytesMax: number): Uint8Array | undefined;
}

export interface SplitOptions {
  readonly isJson: boolean;
  readonly partsMax: number;
  /** The format of bytes, by name: see `sniff`. */
  readonly formatOf: (bytes: Uint8Array) => string;
}

export type SplitResult =
  | { readonly ok: true; readonly parts: readonly OtlpPart[] }
  | { readonly ok: false; readonly error: ProfileError };

/** Never throws. Profiles without samples are left out. */
export function splitOtlp(bytes: Uint8Array, limits: ReadLimits, options: SplitOptions): SplitResult {
  try {
    const request = outlineOf(options.isJson ? otlpOfJson(bytes) : bytes, limits);
    return { ok: true, parts: new Splitter(request, options).parts(bytes) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: error.reason };
    throw error;
  }
}

const serviceKey = "service.name";
const executableKey = "process.executable.name";
const minuteNs = 60_000_000_000n;

interface Named {
  readonly name: string | undefined;
  readonly isExecutable: boolean;
}

interface Group extends Named {
  readonly tags: readonly Attribute[];
  readonly samples: Map<SentProfile, GrowableUint32>;
}

class Splitter {
  readonly #request: OtlpRequest;
  readonly #options: SplitOptions;
  readonly #attributes: AttributeReader;
  readonly #groups = new Map<string, Group>();
  readonly #originals: OtlpPart[] = [];
  /** The attributes that name a service or a program. */
  readonly #names: ReadonlyMap<number, Named>;
  readonly #indexes = new GrowableUint32(16);
  #writer: PartWriter | undefined;

  constructor(request: OtlpRequest, options: SplitOptions) {
    this.#request = request;
    this.#options = options;
    this.#attributes = new AttributeReader(request);
    this.#names = namingAttributes(request, this.#attributes);
  }

  /** @param sent the request as it is kept, if all of it is one part */
  parts(sent: Uint8Array): OtlpPart[] {
    for (const profile of this.#request.profiles) this.#add(profile);
    // Where requests are kept, they are recognised by their first bytes.
    const isRecognised = isOtlpRequest(sent) || this.#options.formatOf(sent) === "otlp_json";
    const isWhole = this.#groups.size === 1 && this.#originals.length === 0 && isRecognised;
    const parts = [...this.#groups.values()].map(({ name, isExecutable, tags, samples }) => ({
      service: name,
      isExecutable,
      tags,
      profiles: samples.size,
      isOriginal: false,
      bytes: (bytesMax: number) =>
        isWhole ? undefined : this.#partWriter().write(filled(samples), bytesMax),
    }));
    return [...this.#originals, ...parts];
  }

  #partWriter(): PartWriter {
    this.#writer ??= new PartWriter(this.#request);
    return this.#writer;
  }

  #add(profile: SentProfile): void {
    const { resource, scope, attributes, original, samples } = profile;
    if (samples.length === 0 && original.length === 0) return;
    const given = [
      ...this.#attributes.ofMessage(resource, 1),
      ...this.#attributes.ofMessage(scope, 3),
      ...Array.from(attributes.subarray(0, attributesMax), (index): Attribute => {
        const { key, value } = this.#attributes.entry(index);
        return [key, value];
      }),
    ];
    const byKey = new Map(given);
    const own = namedBy(byKey.get(serviceKey), byKey.get(executableKey));
    const tags = given.filter(([key, value]) => key !== serviceKey && value !== "" && !processKeys.has(key));
    if (original.length > 0 && readable.has(this.#options.formatOf(original))) {
      this.#originals.push({ ...service(own), tags, profiles: 1, isOriginal: true, bytes: () => original });
      this.#checkCount();
      return;
    }
    const { type, unit } = this.#attributes.sampleType(profile);
    const shared = [type, unit, String(profile.timeNs / minuteNs), tags];
    const groups = new Map<string | undefined, GrowableUint32>();
    for (let i = 0; i < samples.length; i += 2) {
      const named = this.#names.size === 0 ? own : this.#namedBySample(samples[i], samples[i + 1], own);
      let spans = groups.get(named.name);
      if (spans === undefined) {
        spans = this.#spansOf(JSON.stringify([named.name ?? null, ...shared]), { ...named, tags }, profile);
        groups.set(named.name, spans);
      }
      spans.push(samples[i]);
      spans.push(samples[i + 1]);
    }
  }

  #spansOf(key: string, named: Omit<Group, "samples">, profile: SentProfile): GrowableUint32 {
    const group = this.#groups.get(key) ?? { ...named, samples: new Map() };
    this.#groups.set(key, group);
    this.#checkCount();
    const spans = group.samples.get(profile) ?? new GrowableUint32(16);
    group.samples.set(profile, spans);
    return spans;
  }

  /** A service that the sample names comes before that of the resource, and both before a program. */
  #namedBySample(start: number, end: number, own: Named): Named {
    const { wire, sample } = this.#request;
    let found = own;
    wire.pos = start;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== sample.attributes) {
        wire.other(tag, end, "sample", []);
        continue;
      }
      readIndexes(wire, tag, end, this.#indexes.clear());
      for (const index of this.#indexes.filled()) {
        const named = this.#names.get(index);
        if (named === undefined) continue;
        const isBetter = found.name === undefined || found.isExecutable;
        if (!named.isExecutable || isBetter) found = named;
      }
    }
    return found;
  }

  #checkCount(): void {
    if (this.#groups.size + this.#originals.length <= this.#options.partsMax) return;
    const message = `The request has more than ${this.#options.partsMax} profiles, counting those of each service by themselves.`;
    throw new Refusal("too_large", message, "profiles", 0);
  }
}

function namedBy(service: string | undefined, executable: string | undefined): Named {
  if (service !== undefined && service !== "") return { name: service, isExecutable: false };
  return executable === undefined || executable === ""
    ? { name: undefined, isExecutable: false }
    : { name: executable, isExecutable: true };
}

function service({ name, isExecutable }: Named): Pick<OtlpPart, "service" | "isExecutable"> {
  return { service: name, isExecutable };
}

function filled(samples: Group["samples"]): SamplesOf {
  return new Map([...samples].map(([profile, spans]) => [profile, spans.filled()]));
}

/** Formats that the reader of profiles reads, compressed or not. */
const readable: ReadonlySet<string> = new Set(["pprof", "gzip", "zstd", "jfr", "collapsed"]);

/** Looks for the keys first, because a hostile table has millions of entries. */
function namingAttributes({ wire, tables }: OtlpRequest, attributes: AttributeReader): Map<number, Named> {
  const found = new Map<number, Named>();
  const keys = new Map<number, string>();
  for (let i = 0; i < tables.string.length; i += 2) {
    const [start, end] = [tables.string[i], tables.string[i + 1]];
    if (end - start !== serviceKey.length && end - start !== executableKey.length) continue;
    const text = decodeText(wire.bytes.subarray(start, end));
    if (text === serviceKey || text === executableKey) keys.set(i / 2, text);
  }
  if (keys.size === 0) return found;
  for (let index = 0; 2 * index < tables.attribute.length; index++) {
    const key = keyOf(index);
    if (key === undefined) continue;
    const { value } = attributes.entry(index);
    if (value !== "") found.set(index, { name: value, isExecutable: key === executableKey });
  }
  return found;

  function keyOf(index: number): string | undefined {
    const end = tables.attribute[2 * index + 1];
    wire.pos = tables.attribute[2 * index];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x08) wire.other(tag, end, "attribute", []);
      else {
        wire.varint(end);
        return keys.get(wire.lo);
      }
    }
    return undefined;
  }
}

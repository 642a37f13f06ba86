import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { sumSamples } from "#stacks/sum-stacks.ts";
import { type LineLabels, StackLines } from "#write/stack-lines.ts";
import { readOtlp } from "./otlp/read-otlp.ts";
import { isOtlpRequest, outlineOf } from "./otlp/request.ts";

const lengthBytes = 4;
/** Each costs memory, whatever its length. */
const requestsMax = 10_000;

/** The file exporter of the OpenTelemetry Collector writes the length of a request in four bytes, the highest first. */
export function isFramedOtlp(bytes: Uint8Array): boolean {
  return bytes.length > 5 && bytes[0] < 8 && isOtlpRequest(bytes.subarray(lengthBytes, 64));
}

/** All profiles of all requests as one. Each request has its own tables, so equal names and stacks are merged here. */
export function readFramedOtlp(bytes: Uint8Array, limits: ReadLimits): Profile {
  const joined = new JoinedProfiles(limits);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let requests = 0;
  for (let at = 0; at < bytes.length; requests++) {
    const start = at + lengthBytes;
    const end = start <= bytes.length ? start + view.getUint32(at) : Number.POSITIVE_INFINITY;
    if (end > bytes.length) {
      const message = `The file of OTLP requests is cut off in request ${requests + 1}.`;
      throw new Refusal("malformed", message, "request", at);
    }
    if (requests === requestsMax) {
      throw new Refusal(
        "too_large",
        `The file has more than ${requestsMax} OTLP requests.`,
        "samples",
        requestsMax,
      );
    }
    const request = bytes.subarray(start, end);
    if (outlineOf(request, limits).profiles.some(({ samples }) => samples.length > 0))
      joined.add(readOtlp(request, limits));
    at = end;
  }
  return joined.profile();
}

class JoinedProfiles {
  readonly #limits: ReadLimits;
  readonly #stacks: StackLines;
  readonly #types = new Map<string, ValueType & { readonly column: number }>();
  readonly #trimmed = { depth: 0, labels: 0, names: 0, lines: 0 };
  #first: Profile | undefined;
  #startNs = 0n;
  #endNs = 0n;

  constructor(limits: ReadLimits) {
    this.#limits = limits;
    this.#stacks = new StackLines(0, limits);
  }

  add(profile: Profile): void {
    const { stacks, stackOf } = sumSamples(profile);
    const { functionName, file, line } = stacks.frames;
    const frames = functionName.map((name, at) =>
      this.#stacks.frame({ name, file: file[at]!, line: line[at]! }),
    );
    const columns = profile.sampleTypes.map((type) => this.#columnOf(type));
    for (let i = 0; i < profile.samples.length; i++) {
      const values: number[] = [];
      for (const [type, column] of profile.samples.values.entries())
        values[columns[type]!] = exact(column[i]!);
      const stack = stacks.frame.subarray(stacks.start[stackOf[i]!], stacks.start[stackOf[i]! + 1]);
      this.#stacks.add(
        Array.from(stack, (frame) => frames[frame]!),
        values,
        labelsOf(profile, i),
      );
    }
    this.#first ??= profile;
    this.#addTime(profile);
    for (const limit of ["depth", "labels", "names", "lines"] as const)
      this.#trimmed[limit] += profile.trimmed[limit];
  }

  #addTime({ timeNs, durationNs }: Profile): void {
    if (timeNs === 0n) return;
    if (this.#startNs === 0n || timeNs < this.#startNs) this.#startNs = timeNs;
    if (timeNs + durationNs > this.#endNs) this.#endNs = timeNs + durationNs;
  }

  #columnOf({ type, unit }: ValueType): number {
    const name = `${type}/${unit}`;
    const known = this.#types.get(name);
    if (known !== undefined) return known.column;
    if (this.#types.size >= this.#limits.sampleTypes) {
      const message = `The requests have more than ${this.#limits.sampleTypes} sample types.`;
      throw new Refusal("too_large", message, "sampleTypes", this.#limits.sampleTypes);
    }
    const column = this.#stacks.addColumn();
    this.#types.set(name, { type, unit, column });
    return column;
  }

  profile(): Profile {
    if (this.#first === undefined) {
      throw new Refusal("invalid", "The OTLP requests have no sample.", "profile.samples", 0);
    }
    const { periodType, period } = this.#first;
    const types = Array.from(this.#types.values(), ({ type, unit }): ValueType => ({ type, unit }));
    const [timeNs, durationNs] = [this.#startNs, this.#endNs - this.#startNs];
    const profile = this.#stacks.profile(types, { periodType, period, timeNs, durationNs });
    const { depth, labels, names, lines } = this.#trimmed;
    const { trimmed } = profile;
    return {
      ...profile,
      trimmed: {
        ...trimmed,
        depth: trimmed.depth + depth,
        labels: trimmed.labels + labels,
        names: trimmed.names + names,
        lines: trimmed.lines + lines,
      },
    };
  }
}

function exact(value: number | bigint): number {
  const number = Number(value);
  if (Number.isSafeInteger(number)) return number;
  throw new Refusal(
    "invalid",
    "A value of the OTLP requests is beyond 2^53. Send each request by itself.",
    "sample",
    0,
  );
}

/** Labels of numbers become texts. */
function labelsOf({ samples, labels, strings }: Profile, sample: number): LineLabels {
  const found: [string, string][] = [];
  for (let i = samples.labelStart[sample]!; i < samples.labelStart[sample + 1]!; i++) {
    const text = labels.text[i]!;
    const value = text === 0 ? `${labels.number[i]}${strings[labels.unit[i]!]}` : strings[text]!;
    found.push([strings[labels.key[i]!]!, value]);
  }
  return Object.fromEntries(found);
}

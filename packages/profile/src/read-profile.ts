import { defaultLimits, type ReadLimits } from "./limits.ts";
import type { Profile } from "./profile.ts";
import { type ProfileError, Refusal } from "./profile-error.ts";
import { readFunctions } from "./read-functions.ts";
import { readLocations } from "./read-locations.ts";
import { type Outline, readOutline } from "./read-outline.ts";
import { readSamples } from "./read-samples.ts";
import { readStrings } from "./read-strings.ts";
import { readMappings, readValueType } from "./read-tables.ts";
import { releaseScratch } from "./scratch.ts";
import { sniff, sniffText } from "./sniff.ts";
import { WireReader } from "./wire-reader.ts";

export type ReadResult =
  | { readonly ok: true; readonly profile: Profile }
  | { readonly ok: false; readonly error: ProfileError };

/**
 * Reads an inflated pprof profile. Accepts what Go's parser accepts and checks what its CheckValid checks,
 * within `limits`. Never throws; work and memory are bounded by the length of `raw`.
 */
export function readProfile(raw: Uint8Array, limits: ReadLimits = defaultLimits): ReadResult {
  try {
    return { ok: true, profile: read(raw, limits) };
  } catch (error) {
    if (error instanceof Refusal) return { ok: false, error: explain(raw, error.reason) };
    throw error;
  } finally {
    releaseScratch();
  }
}

/** Bytes that are recognisably something else are named as that, rather than as broken protobuf. */
function explain(raw: Uint8Array, error: ProfileError): ProfileError {
  if (error.code === "too_large" || error.code === "concatenated") return error;
  const kind = sniff(raw);
  if (kind === "pprof" || kind === "unknown" || kind === "empty") return error;
  return {
    code: "not_pprof",
    message: `Not a pprof profile: ${sniffText(kind)}.`,
    field: "profile",
    offset: 0,
  };
}

function read(raw: Uint8Array, limits: ReadLimits): Profile {
  if (raw.length === 0) throw new Refusal("empty", "The profile is empty.", "profile", 0);
  if (raw.length > limits.bytes) {
    const message = `The profile has ${raw.length} bytes, more than ${limits.bytes}.`;
    throw new Refusal("too_large", message, "bytes", limits.bytes);
  }
  const wire = new WireReader(raw);
  const outline = readOutline(wire, limits);
  const { strings, ids, trimmedNames } = readStrings(raw, outline.strings, limits.nameBytes);
  const functions = readFunctions(wire, outline.functions, strings.length);
  const mappings = readMappings(wire, outline.mappings, strings.length);
  const known = { functions: functions.index, mappings: mappings.index };
  const { locations, index, trimmedDepth } = readLocations(wire, outline.locations, known, limits);
  const context = {
    locations,
    index,
    sampleTypes: outline.sampleTypes.length / 2,
    strings: strings.length,
    limits,
  };
  const read = readSamples(wire, outline.samples, context);
  return {
    ...readHeader(wire, outline, strings),
    strings,
    stringIds: ids,
    samples: read.samples,
    labels: read.labels,
    mappings: mappings.mappings,
    locations,
    functions: functions.functions,
    trimmed: { depth: trimmedDepth + read.trimmedDepth, labels: read.trimmedLabels, names: trimmedNames },
  };
}

type Header = Omit<
  Profile,
  "strings" | "stringIds" | "samples" | "labels" | "mappings" | "locations" | "functions" | "trimmed"
>;

function readHeader(wire: WireReader, outline: Outline, strings: readonly string[]): Header {
  const scalars = outline.scalars;
  const spans = outline.sampleTypes;
  const sampleTypes = Array.from({ length: spans.length / 2 }, (_, i) =>
    readValueType(wire, spans[2 * i]!, spans[2 * i + 1]!, strings, "sample_type"),
  );
  const [start, end] = scalars.periodType;
  return {
    sampleTypes,
    defaultSampleType: textAt(strings, scalars.defaultSampleType, "default_sample_type"),
    periodType: readValueType(wire, start, end, strings, "period_type"),
    period: scalars.period,
    timeNs: scalars.timeNs,
    durationNs: scalars.durationNs,
    dropFrames: textAt(strings, scalars.dropFrames, "drop_frames"),
    keepFrames: textAt(strings, scalars.keepFrames, "keep_frames"),
    comments: scalars.comments.map((comment) => textAt(strings, comment, "comment")),
    docUrl: textAt(strings, scalars.docUrl, "doc_url"),
  };
}

function textAt(strings: readonly string[], index: bigint, field: string): string {
  if (index >= 0n && index < BigInt(strings.length)) return strings[Number(index)]!;
  const message = `${field} is ${index}, the string table has ${strings.length} entries.`;
  throw new Refusal("invalid", message, field, 0);
}

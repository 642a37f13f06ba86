import { droppedFunctions } from "#drop-frames/drop-frames.ts";
import { readerOf, refusalOf, sniff } from "#formats/sniff.ts";
import { releaseScratch } from "#memory/growable.ts";
import { defaultLimits, type ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { type ProfileError, Refusal } from "#model/profile-error.ts";
import { numberField, WireReader } from "#wire/wire-reader.ts";
import { functionFields, readFunctions } from "./functions.ts";
import { readHeader } from "./header.ts";
import { labelFields } from "./labels.ts";
import { lineFields, locationFields, readLocations } from "./locations.ts";
import { mappingFields, readMappings } from "./mappings.ts";
import { type Outline, profileFields, readOutline } from "./outline.ts";
import { readSamples, sampleFields } from "./samples.ts";
import { readStrings } from "./strings.ts";
import { withTruncatedFrame } from "./truncated-frame.ts";

export type ReadResult<P = Profile> =
  | { readonly ok: true; readonly profile: P }
  | { readonly ok: false; readonly error: ProfileError };

/**
 * Reads an inflated profile: pprof, or another format that `formats.ts` can read. Accepts what Go's parser accepts and checks what
 * its CheckValid checks, within `limits`. Never throws; work and memory are bounded by the length of `raw`.
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
  if (error.code === "too_large" || error.code === "concatenated" || readerOf(raw) !== undefined)
    return error;
  const message = refusalOf(sniff(raw));
  if (message !== undefined) return { code: "not_pprof", message, field: "profile", offset: 0 };
  return error.field === numberField ? { ...error, field: fieldAt(raw, error.offset) } : error;
}

function read(raw: Uint8Array, limits: ReadLimits): Profile {
  if (raw.length === 0) throw new Refusal("empty", "The profile is empty.", "profile", 0);
  if (raw.length > limits.bytes) {
    const message = `The profile has ${raw.length} bytes, more than ${limits.bytes}.`;
    throw new Refusal("too_large", message, "bytes", limits.bytes);
  }
  const read = readerOf(raw)?.(raw, limits) ?? raw;
  return read instanceof Uint8Array ? readPprof(read, limits) : read;
}

function readPprof(raw: Uint8Array, limits: ReadLimits): Profile {
  const wire = new WireReader(raw);
  const outline = readOutline(wire, limits);
  if (outline.strings.length === 0) {
    throw new Refusal("malformed", "The profile has no string table.", "string_table", 0);
  }
  const { strings, ids, trimmedNames } = readStrings(raw, outline.strings, limits.nameBytes);
  const functions = readFunctions(wire, outline.functions, strings.length);
  const mappings = readMappings(wire, outline.mappings, strings.length);
  const references = {
    functions: functions.index,
    mappings: mappings.index,
    truncatedFunction: functions.functions.length,
  };
  const { locations, index, trimmedDepth, linesLost } = readLocations(
    wire,
    outline.locations,
    references,
    limits,
  );
  const context = {
    locations,
    index,
    sampleTypes: outline.sampleTypes.length / 2,
    strings: strings.length,
    limits,
  };
  const read = readSamples(wire, outline.samples, context);
  const depth = trimmedDepth + read.trimmedDepth;
  const complete = {
    ...readHeader(wire, outline, strings),
    strings,
    stringIds: ids,
    samples: read.samples,
    labels: read.labels,
    mappings: mappings.mappings,
    locations,
    functions: functions.functions,
  };
  const tables = depth === 0 ? complete : withTruncatedFrame(complete);
  const isCut = arePatternsCut(outline, limits);
  const drops = tables.dropFrames === "" || isCut ? undefined : droppedFunctions(tables);
  const trimmed = {
    depth,
    labels: read.trimmedLabels,
    names: trimmedNames,
    lines: functions.linesLost + linesLost,
    drop_frames: tables.dropFrames !== "" && drops === undefined ? 1 : 0,
  };
  return drops === undefined ? { ...tables, trimmed } : { ...tables, drops, trimmed };
}

/** The end of a pattern is another pattern. */
function arePatternsCut({ scalars, strings }: Outline, { nameBytes }: ReadLimits): boolean {
  return [scalars.dropFrames, scalars.keepFrames].some(({ value }) => {
    const at = 2 * Number(value);
    return strings[at + 1] - strings[at] > nameBytes;
  });
}

/** The fields of the messages of profile.proto, at their numbers. */
const fieldsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["profile", profileFields],
  ["sample_type", ["", "sample_type.type", "sample_type.unit"]],
  ["sample", sampleFields],
  ["sample.label", labelFields],
  ["mapping", mappingFields],
  ["location", locationFields],
  ["location.line", lineFields],
  ["function", functionFields],
  ["period_type", ["", "period_type.type", "period_type.unit"]],
]);

/**
 * The field whose number at `offset` cannot be read; `profile` for an unknown field. Number readers do not
 * carry field names, which would slow every read; so this walks the message again after a failure.
 */
function fieldAt(bytes: Uint8Array, offset: number): string {
  return brokenIn(new WireReader(bytes), bytes.length, "profile", offset) ?? "profile";
}

/** The field in `message`, which ends at `end`, that cannot be read or contains the number; undefined if the number comes later. */
function brokenIn(wire: WireReader, end: number, message: string, offset: number): string | undefined {
  let field = message;
  try {
    while (wire.pos < end && wire.pos <= offset) {
      field = message;
      const tag = wire.tag(end);
      field = fieldsOf.get(message)?.[tag >>> 3] || message;
      if ((tag & 7) !== 2) {
        wire.other(tag, end, field, []);
        continue;
      }
      const stop = wire.block(end, field);
      const isMessage = field !== message && fieldsOf.has(field);
      if (!isMessage && offset < stop) return field;
      const broken = isMessage && offset <= stop ? brokenIn(wire, stop, field, offset) : undefined;
      if (broken !== undefined) return broken;
      wire.pos = stop;
    }
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return field;
    throw error;
  }
}

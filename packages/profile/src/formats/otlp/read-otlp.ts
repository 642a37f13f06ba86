import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { Refusal } from "#model/profile-error.ts";
import type { ValueType } from "#model/stack-table.ts";
import { readStrings } from "#read/strings.ts";
import { withTruncatedFrame } from "#read/truncated-frame.ts";
import { AttributeReader } from "./attributes.ts";
import { LabelRows, type TextIndexes } from "./labels.ts";
import { type OtlpRequest, outlineOf, type SentProfile, spanOf } from "./request.ts";
import { SampleReader } from "./samples.ts";
import { readTables } from "./tables.ts";

/**
 * All profiles of an OTLP request as one, with a column for each of their sample types. Attributes of samples become labels, and so do
 * the process of the resource, the trace of the link, and the type of the frame at the leaf, which is the language that ran.
 *
 * @throws Refusal
 */
export function readOtlp(bytes: Uint8Array, limits: ReadLimits): Profile {
  const request = outlineOf(bytes, limits);
  const sent = request.profiles.filter(({ samples }) => samples.length > 0);
  if (sent.length === 0) refuseEmpty(request.profiles);
  const texts = readTexts(request, limits);
  const attributes = new AttributeReader(request);
  const tables = readTables(request, { attributes, indexOf: texts.indexOf, limits });
  const sampleTypes = distinctTypes(sent, attributes, limits);
  const labels = new LabelRows(request, { attributes, texts, limits });
  const read = new SampleReader(request, { sent, sampleTypes, tables, labels, attributes, limits }).columns();
  const [timeNs, durationNs] = spanOf(sent);
  const complete: Profile = {
    sampleTypes,
    defaultSampleType: "",
    ...periodOf(sent, attributes),
    timeNs,
    durationNs,
    dropFrames: "",
    keepFrames: "",
    comments: [],
    docUrl: "",
    strings: texts.strings,
    stringIds: texts.ids,
    samples: read.samples,
    labels: read.labels,
    mappings: tables.mappings,
    locations: tables.locations,
    functions: tables.functions,
    trimmed: {
      depth: read.cutSamples + tables.cutLocations,
      labels: labels.trimmed,
      names: texts.trimmedNames,
      lines: tables.linesLost,
      drop_frames: 0,
    },
  };
  return complete.trimmed.depth === 0 ? complete : withTruncatedFrame(complete);
}

function refuseEmpty(profiles: readonly SentProfile[]): never {
  const only = profiles.find(({ original }) => original.length > 0);
  const message =
    only === undefined
      ? "The OTLP request has no sample."
      : `The OTLP request has its profile only as original_payload (${only.originalFormat}). Send that by itself.`;
  throw new Refusal("invalid", message, "profile.samples", 0);
}

interface Texts extends TextIndexes {
  readonly ids: Uint32Array<ArrayBuffer>;
  trimmedNames: number;
}

/** The string table, to which texts of attributes are added. */
function readTexts({ wire, tables }: OtlpRequest, { nameBytes }: ReadLimits): Texts {
  if (tables.string.length === 0) {
    throw new Refusal("invalid", "The request has no string table.", "string_table", 0);
  }
  const { strings, ids, trimmedNames } = readStrings(wire.bytes, tables.string, nameBytes);
  const added = new Map([["", 0]]);
  const texts: Texts = {
    strings,
    ids,
    trimmedNames,
    indexOf(text: string): number {
      const known = added.get(text);
      if (known !== undefined) return known;
      if (text.length > nameBytes) texts.trimmedNames++;
      const index = strings.push(text.slice(-nameBytes)) - 1;
      added.set(text, index);
      return index;
    },
  };
  return texts;
}

/** The sample types in the order in which profiles have them. */
function distinctTypes(
  sent: readonly SentProfile[],
  attributes: AttributeReader,
  limits: ReadLimits,
): ValueType[] {
  const types = new Map(
    sent.map((profile) => {
      const type = attributes.sampleType(profile);
      return [`${type.type}/${type.unit}`, type];
    }),
  );
  const samples = sent.reduce((sum, { samples }) => sum + samples.length / 2, 0);
  if (types.size > limits.sampleTypes) refuse("sampleTypes", limits, "sample types");
  if (types.size * samples > limits.values) refuse("values", limits, "values, one for each sample type");
  return [...types.values()];
}

function refuse(limit: "sampleTypes" | "values" | "samples", limits: ReadLimits, what: string): never {
  throw new Refusal("too_large", `The request has more than ${limits[limit]} ${what}.`, limit, 0);
}

function periodOf(
  sent: readonly SentProfile[],
  attributes: AttributeReader,
): Pick<Profile, "periodType" | "period"> {
  const found = sent.find(({ period, periodType: [start, end] }) => period !== 0n && end > start);
  if (found === undefined) return { periodType: { type: "", unit: "" }, period: 0n };
  return { periodType: attributes.valueType(found.periodType), period: found.period };
}

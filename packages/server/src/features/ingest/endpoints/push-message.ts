import { ReadRefusal, WireReader } from "@flamekeep/profile";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";

/** A message with series of profiles. */
export interface SeriesMessage {
  readonly name: string;
  /** The number of the field that has the series. */
  readonly seriesField: number;
  /** Whether a separate message has the labels of a series. */
  readonly hasLabelSets: boolean;
}

export const pushRequest: SeriesMessage = {
  name: "push.v1.PushRequest",
  seriesField: 1,
  hasLabelSets: false,
};

/** Profiles that share their labels. */
export interface PushSeries {
  readonly labels: readonly (readonly [name: string, value: string])[];
  /** Each a pprof, gzipped or plain. */
  readonly profiles: readonly Uint8Array[];
}

/** For one series; Pyroscope accepts 30. */
export const labelsMax = 100;
/** For a label's name or value. The limits of tags are lower, and count what they remove. */
const labelBytesMax = 16 * 1024;

/** Field number and wire type 2: all fields of these messages are length-delimited. */
const field = (number: number) => number * 8 + 2;

/**
 * Series in protobuf. Fields that are not read here (annotations, ids of samples, executables, later additions) are skipped.
 *
 * ```
 * PushRequest { RawProfileSeries series = 1 }   RawProfileSeries { LabelPair labels = 1; RawSample samples = 2 }
 * LabelPair { string name = 1; string value = 2 }   RawSample { bytes raw_profile = 1; string ID = 2 }
 * WriteRawRequest { RawProfileSeries series = 2 }   RawProfileSeries { LabelSet labels = 1; RawSample samples = 2 }
 * LabelSet { Label labels = 1 }
 * ```
 */
export function readSeriesMessage(
  message: Uint8Array,
  profilesMax: number,
  { name, seriesField, hasLabelSets }: SeriesMessage,
): Outcome<PushSeries[]> {
  const wire = new WireReader(message);
  const end = message.length;
  const read: PushSeries[] = [];
  let profiles = 0;
  try {
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== field(seriesField)) {
        wire.other(tag, end, name, ["", "series"]);
        continue;
      }
      const series = readSeries(wire, wire.block(end, "series"), profilesMax - profiles, hasLabelSets);
      if (series === "labels") return tooManyLabels();
      if (series === "profiles") return tooManyProfiles(profilesMax);
      profiles += Math.max(1, series.profiles.length);
      read.push(series);
    }
  } catch (error) {
    if (error instanceof ReadRefusal)
      return malformed(name, `${error.message} (byte ${error.reason.offset})`);
    throw error;
  }
  return accepted(read);
}

/** A series, or the name of the part that it has too many of. A series without a profile counts as one. */
function readSeries(
  wire: WireReader,
  end: number,
  profilesLeft: number,
  hasLabelSets: boolean,
): PushSeries | "labels" | "profiles" {
  const labels: [string, string][] = [];
  const profiles: Uint8Array[] = [];
  if (profilesLeft < 1) return "profiles";
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === field(1)) {
      const labelsEnd = wire.block(end, "series.labels");
      if (hasLabelSets) readLabelSet(wire, labelsEnd, labels);
      else labels.push(readLabel(wire, labelsEnd));
      if (labels.length > labelsMax) return "labels";
    } else if (tag === field(2)) {
      if (profiles.length === profilesLeft) return "profiles";
      profiles.push(readSample(wire, wire.block(end, "series.samples")));
    } else wire.other(tag, end, "series", ["", "series.labels", "series.samples"]);
  }
  return { labels, profiles };
}

function readLabelSet(wire: WireReader, end: number, labels: [string, string][]): void {
  while (wire.pos < end && labels.length <= labelsMax) {
    const tag = wire.tag(end);
    if (tag === field(1)) labels.push(readLabel(wire, wire.block(end, "series.labels.labels")));
    else wire.other(tag, end, "series.labels", ["", "series.labels.labels"]);
  }
}

function readLabel(wire: WireReader, end: number): [string, string] {
  const label: [string, string] = ["", ""];
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === field(1)) label[0] = text(bytes(wire, end, "series.labels.name"));
    else if (tag === field(2)) label[1] = text(bytes(wire, end, "series.labels.value"));
    else wire.other(tag, end, "series.labels", ["", "series.labels.name", "series.labels.value"]);
  }
  return label;
}

function readSample(wire: WireReader, end: number): Uint8Array {
  let profile = wire.bytes.subarray(0, 0);
  while (wire.pos < end) {
    const tag = wire.tag(end);
    if (tag === field(1)) profile = bytes(wire, end, "series.samples.raw_profile");
    else wire.other(tag, end, "series.samples", ["", "series.samples.raw_profile"]);
  }
  return profile;
}

function bytes(wire: WireReader, end: number, name: string): Uint8Array {
  const to = wire.block(end, name);
  const found = wire.bytes.subarray(wire.pos, to);
  wire.pos = to;
  return found;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

function text(found: Uint8Array): string {
  return utf8.decode(found.subarray(0, labelBytesMax));
}

export function malformed(name: string, why: string): Outcome<never> {
  return refused(
    "invalid",
    "push_message",
    `The body cannot be read as ${name}: ${why}. Send protobuf with Content-Type: application/proto, or JSON with Content-Type: application/json.`,
  );
}

export function tooManyLabels(): Outcome<never> {
  return refused(
    "too_large",
    "push_labels",
    `A series has more than ${labelsMax} labels. Send fewer labels.`,
  );
}

export function tooManyProfiles(max: number): Outcome<never> {
  return refused(
    "too_large",
    "push_profiles",
    `The request has more than ${max} profiles. Send several requests, or raise INGEST_MAX_PROFILES on the server.`,
  );
}

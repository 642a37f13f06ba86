import { pushProfiles } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { answerAsConnect, checkConnectCall, emptyMessage } from "#http/connect-protocol/connect.ts";
import { nothingRecorded } from "#ingest/encode/checks/explain-refusal.ts";
import { checkedService, sessionLabel } from "#ingest/encode/checks/tags.ts";
import { type EncodeScope, encodeProfile, type Usage } from "#ingest/encode/encode-profile.ts";
import { inflateMessage } from "#ingest/encode/inflate-upload.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { accepted, type Outcome, type Refused, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { free } from "#memory/free.ts";
import { compressionOf } from "#stacks/inflate.ts";
import {
  labelsMax,
  malformed,
  type PushSeries,
  pushRequest,
  readSeriesMessage,
  type SeriesMessage,
  tooManyLabels,
  tooManyProfiles,
} from "./push-message.ts";
import { profileLimits, type UploadRequest, uploadEndpoint } from "./upload-endpoint.ts";

/** `push.v1.PusherService/Push`: series with labels and profiles, in protobuf or JSON. */
export const pushEndpoint = uploadEndpoint({
  call: endpointOf(pushProfiles),
  paths: [pushProfiles.path, `/pyroscope${pushProfiles.path}`],
  limits: profileLimits,
  encode: (request, sent) => encodeSeries(request, sent, pushRequest, uploadOf),
  reply: (_stored, { contentType }) => emptyMessage(contentType),
  beforeBody: checkConnectCall,
  addHooks: answerAsConnect,
});

/** The upload that the profiles of a series share; `body` is set for each. */
type UploadOf = (series: PushSeries) => Outcome<Upload>;

/** Encodes all profiles of a message with series, in protobuf or JSON. */
export function encodeSeries(
  { contentType, body, scope }: UploadRequest,
  sent: SentDefinitions,
  form: SeriesMessage,
  uploadOf: UploadOf,
): Outcome<readonly Encoded[]> {
  const isJson = /^application\/json\b/i.test(contentType ?? "");
  const inflated = inflateMessage(body, isJson, scope);
  if (!inflated.ok) return inflated;
  const message = inflated.value;
  const read = isJson ? readSeriesJson : readSeriesMessage;
  const series = read(message, scope.profilesMax, form);
  const encoded = series.ok
    ? encodeAll(series.value, scopeWithin(scope, message.length), sent, uploadOf)
    : series;
  if (message.buffer !== body.buffer) free(message);
  return encoded;
}

function encodeAll(
  all: readonly PushSeries[],
  scope: EncodeScope,
  sent: SentDefinitions,
  uploadOf: UploadOf,
): Outcome<readonly Encoded[]> {
  if (all.every(({ profiles }) => profiles.length === 0)) return noProfile();
  return encodeEach(placedUploads(all, uploadOf), scope, sent);
}

function* placedUploads(all: readonly PushSeries[], uploadOf: UploadOf): Generator<PlacedUpload> {
  for (const [at, series] of all.entries()) {
    const upload = uploadOf(series);
    if (!upload.ok) {
      yield { place: `Series ${at}`, upload };
      return;
    }
    for (const [index, profile] of series.profiles.entries()) {
      // A copy, because the stored profile outlives the memory of the message.
      const body = Uint8Array.from(profile);
      yield { place: `Series ${at}, sample ${index}`, upload: accepted({ ...upload.value, body }) };
    }
  }
}

/** One of the profiles of a request, and where it is in there. */
export interface PlacedUpload {
  readonly place: string;
  readonly upload: Outcome<Upload>;
}

/** Encodes all profiles of a request, or refuses it and names the place of the profile that cannot be taken. Empty profiles are left out. */
export function encodeEach(
  uploads: Iterable<PlacedUpload>,
  scope: EncodeScope,
  sent: SentDefinitions,
): Outcome<readonly Encoded[]> {
  const encoded: Encoded[] = [];
  let left = scope;
  for (const { place, upload } of uploads) {
    if (!upload.ok) return named(upload, place);
    const usage: Usage = { inflatedBytes: 0, samples: 0 };
    const outcome = encodeProfile(upload.value, left, sent, usage);
    if (!outcome.ok && outcome.refusal.reason !== nothingRecorded) return named(outcome, place);
    left = scopeWithin(left, usage.inflatedBytes, usage.samples);
    if (outcome.ok) encoded.push({ ...outcome.value, place });
  }
  return accepted(encoded);
}

/** The limits of one upload apply to all the request's profiles together. */
export function scopeWithin(scope: EncodeScope, bytesUsed: number, samplesUsed = 0): EncodeScope {
  const { inflatedBytesMax, samplesMax, sending } = scope;
  return {
    ...scope,
    samplesMax: samplesMax - samplesUsed,
    sending: {
      isEncoded: false,
      bodyBytesMax: sending?.bodyBytesMax ?? inflatedBytesMax,
      bytesUsed: (sending?.bytesUsed ?? 0) + bytesUsed,
    },
  };
}

function noProfile(): Outcome<never> {
  return refused(
    "invalid",
    "push_empty",
    "The request has no profile. Send at least one series with a sample.",
  );
}

/** The service under which Pyroscope files profiles that name none. */
const unknownService = "unknown_service";

const serviceLabels = ["service_name"];
const uploadOf: UploadOf = (series) => uploadNamedBy(series, serviceLabels);

/** The service that the labels of each series name, without reading the profiles; none where the message is compressed or JSON. */
export function servicesOfSeries(
  body: Uint8Array,
  form: SeriesMessage = pushRequest,
  labelsOfService: readonly string[] = serviceLabels,
): readonly string[] {
  if (compressionOf(body) !== undefined) return [];
  const series = readSeriesMessage(body, seriesMax, form);
  if (!series.ok) return [];
  return series.value.map(({ labels }) => serviceIn(new Map(labels), labelsOfService).service);
}

/** Messages with more profiles are read in a worker thread. */
const seriesMax = 1000;

/** The first of `serviceLabels` that is there names the service. */
export function uploadNamedBy({ labels }: PushSeries, serviceLabels: readonly string[]): Outcome<Upload> {
  const byName = new Map(labels);
  const { label: serviceLabel, service: named } = serviceIn(byName, serviceLabels);
  const service = checkedService(named);
  if (!service.ok) return service;
  const name = byName.get("__name__") ?? "";
  return accepted({
    service: service.value,
    type: undefined,
    nameHint: name,
    startedAtMs: undefined,
    durationNs: 0n,
    // Names with two underscores are meant for the receiver: a new session shows that counters begin again.
    tags: labels.filter(
      ([label]) => label === sessionLabel || (label !== serviceLabel && !label.startsWith("__")),
    ),
    extraFacts: new Map(name === "" ? [] : [["name", name.slice(0, 100).toWellFormed()]]),
    isDelta: byName.get("__delta__") === "false",
    sender: "push",
    body: new Uint8Array(),
  });
}

function serviceIn(labels: ReadonlyMap<string, string>, serviceLabels: readonly string[]) {
  const label = serviceLabels.find((each) => labels.get(each));
  return { label, service: labels.get(label ?? "") || unknownService };
}

function named({ refusal }: Refused, place: string): Outcome<never> {
  const { code, reason, message } = refusal;
  return refused(code, reason, `${place}: ${message} Nothing of the request was stored.`);
}

const Text = z.string().nullish();
const Base64 = z.string().refine(isBase64, "invalid base64").nullish();
const Labels = z.array(z.object({ name: Text, value: Text })).nullish();
const LabelSet = z
  .object({ labels: Labels })
  .nullish()
  .transform((set) => set?.labels);
/** Both spellings of a field's name are valid, and null means that the field is absent. */
const requestWith = (labels: typeof Labels | typeof LabelSet) =>
  z.object({
    series: z
      .array(
        z.object({
          labels,
          samples: z.array(z.object({ rawProfile: Base64, raw_profile: Base64 })).nullish(),
        }),
      )
      .nullish(),
  });
const WithLabels = requestWith(Labels);
const WithLabelSets = requestWith(LabelSet);

/** Brackets and commas: a request of so many profiles needs no more, and each costs memory once it is parsed. */
const marksPerProfile = 4 * labelsMax;
const openArray = 0x5b;
const openObject = 0x7b;
const comma = 0x2c;

/** Series in protobuf's JSON (https://protobuf.dev/programming-guides/json). */
export function readSeriesJson(
  message: Uint8Array,
  profilesMax: number,
  { name, hasLabelSets }: SeriesMessage,
): Outcome<PushSeries[]> {
  if (marksOf(message) > marksPerProfile * profilesMax) return tooManyProfiles(profilesMax);
  const json = parsed(message, name);
  if (!json.ok) return json;
  const request = (hasLabelSets ? WithLabelSets : WithLabels).safeParse(json.value);
  if (!request.success) {
    const issue = request.error.issues[0];
    return malformed(name, `${issue?.path.join(".") || "the message"}: ${issue?.message ?? "invalid"}`);
  }
  const read: PushSeries[] = [];
  let profiles = 0;
  for (const { labels, samples } of request.data.series ?? []) {
    if ((labels?.length ?? 0) > labelsMax) return tooManyLabels();
    profiles += Math.max(1, samples?.length ?? 0);
    if (profiles > profilesMax) return tooManyProfiles(profilesMax);
    read.push({
      labels: (labels ?? []).map(({ name, value }) => [name ?? "", value ?? ""]),
      // Validated by the schema; Node decodes both alphabets, padded or not.
      profiles: (samples ?? []).map((sample) =>
        Buffer.from(sample.rawProfile ?? sample.raw_profile ?? "", "base64"),
      ),
    });
  }
  return accepted(read);
}

/**
 * Protobuf's JSON allows the standard and the URL-safe alphabet, padded or not. `Buffer.from` cannot refuse: it skips
 * what it cannot decode. The patterns search for one character, which takes no stack for long texts.
 */
function isBase64(text: string): boolean {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  if (padding > 0 ? text.length % 4 !== 0 : text.length % 4 === 1) return false;
  const digits = text.slice(0, text.length - padding);
  return !/[^A-Za-z0-9+/]/.test(digits) || !/[^A-Za-z0-9_-]/.test(digits);
}

function marksOf(message: Uint8Array): number {
  let count = 0;
  for (const byte of message) if (byte === openArray || byte === openObject || byte === comma) count++;
  return count;
}

function parsed(message: Uint8Array, name: string): Outcome<unknown> {
  try {
    return accepted(parseJson(message, { depthMax: jsonDepthMax, bytesMax: message.length }));
  } catch (error) {
    if (error instanceof JsonFault) return malformed(name, `${error.message} (byte ${error.offset})`);
    throw error;
  }
}

import { pushProfiles } from "@flamekeep/contract";
import { nothingRecorded } from "#ingest/encode/checks/explain-refusal.ts";
import { checkedService } from "#ingest/encode/checks/service-name.ts";
import { sessionLabel } from "#ingest/encode/checks/tags.ts";
import { type EncodeScope, encodeProfile, type Usage } from "#ingest/encode/encode-profile.ts";
import type { Encoded } from "#ingest/encode/encoded.ts";
import { inflateLayer } from "#ingest/encode/inflate-upload.ts";
import { accepted, type Outcome, type Refused, refused } from "#ingest/refusal.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import { free } from "#memory/free.ts";
import { answerAsConnect, checkConnectCall, emptyMessage } from "./push/connect.ts";
import { readPushJson } from "./push/push-json.ts";
import { type PushSeries, readPushMessage } from "./push/push-message.ts";
import type { Upload } from "./upload.ts";
import { profileLimits, type UploadRequest, uploadEndpoint } from "./upload-endpoint.ts";

/** `push.v1.PusherService/Push`: series with labels and profiles, in protobuf or JSON. */
export const pushEndpoint = uploadEndpoint({
  call: pushProfiles,
  paths: [pushProfiles.path, `/pyroscope${pushProfiles.path}`],
  limits: profileLimits,
  encode: encodePush,
  reply: (_stored, { contentType }) => emptyMessage(contentType),
  beforeBody: checkConnectCall,
  addHooks: answerAsConnect,
});

function encodePush(
  { contentType, body, scope }: UploadRequest,
  sent: SentDefinitions,
): Outcome<readonly Encoded[]> {
  const isJson = /^application\/json\b/i.test(contentType ?? "");
  const { inflatedBytesMax, sending } = scope;
  // Parsed JSON takes several times the memory of its text.
  const jsonBytesMax = Math.min(inflatedBytesMax, sending?.bodyBytesMax ?? inflatedBytesMax);
  const inflated = isJson
    ? inflateLayer(body, jsonBytesMax, "INGEST_MAX_BYTES")
    : inflateLayer(body, inflatedBytesMax, "INGEST_MAX_INFLATED_BYTES");
  if (!inflated.ok) return inflated;
  const message = inflated.value;
  const read = isJson ? readPushJson : readPushMessage;
  const series = read(message, scope.profilesMax);
  const encoded = series.ok ? encodeAll(series.value, scopeWithin(scope, message.length), sent) : series;
  if (message.buffer !== body.buffer) free(message);
  return encoded;
}

function encodeAll(
  all: readonly PushSeries[],
  scope: EncodeScope,
  sent: SentDefinitions,
): Outcome<readonly Encoded[]> {
  if (all.every(({ profiles }) => profiles.length === 0)) return noProfile();
  const encoded: Encoded[] = [];
  let left = scope;
  for (const [at, series] of all.entries()) {
    const upload = uploadOf(series);
    if (!upload.ok) return named(upload, `Series ${at}`);
    for (const [index, profile] of series.profiles.entries()) {
      // A copy, because the stored profile outlives the memory of the message.
      const body = Uint8Array.from(profile);
      const place = `Series ${at}, sample ${index}`;
      const usage: Usage = { inflatedBytes: 0, samples: 0 };
      const outcome = encodeProfile({ ...upload.value, body }, left, sent, usage);
      if (!outcome.ok && outcome.refusal.reason !== nothingRecorded) {
        return named(outcome, place);
      }
      left = scopeWithin(left, usage.inflatedBytes, usage.samples);
      if (outcome.ok) encoded.push({ ...outcome.value, place });
    }
  }
  return accepted(encoded);
}

/** The limits of one upload apply to all the request's profiles together. */
function scopeWithin(scope: EncodeScope, bytesUsed: number, samplesUsed = 0): EncodeScope {
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

/** The upload that the profiles of a series share; `body` is set for each. */
function uploadOf({ labels }: PushSeries): Outcome<Upload> {
  const byName = new Map(labels);
  const service = checkedService(byName.get("service_name") || unknownService);
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
      ([label]) => label === sessionLabel || (label !== "service_name" && !label.startsWith("__")),
    ),
    extraFacts: new Map(name === "" ? [] : [["name", name.slice(0, 100).toWellFormed()]]),
    isDelta: byName.get("__delta__") === "false",
    sender: "push",
    body: new Uint8Array(),
  });
}

function named({ refusal }: Refused, place: string): Outcome<never> {
  const { code, reason, message } = refusal;
  return refused(code, reason, `${place}: ${message} Nothing of the request was stored.`);
}

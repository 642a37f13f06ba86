import { ingestDatadog } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { apiKeyOf } from "#auth/credentials.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { inflateLayer } from "#ingest/encode/inflate-upload.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { metricsName, pprofOfMetrics } from "./datadog-metrics.ts";
import { encodeEach, type PlacedUpload, scopeWithin } from "./push.ts";
import { tooManyProfiles } from "./push-message.ts";
import { boundaryOf, splitMultipart } from "./pyroscope-form.ts";
import { profileLimits, type UploadRequest, uploadEndpoint } from "./upload-endpoint.ts";

/** Where Datadog's libraries send without an agent. */
const intakePath = "/api/v2/profile";

/** The form of Datadog's libraries: `event.json` about a period of one process, and its profiles as attachments. */
export const datadogEndpoint = uploadEndpoint({
  call: endpointOf(ingestDatadog),
  paths: [ingestDatadog.path, intakePath],
  limits: profileLimits,
  encode: encodeForm,
  reply: () => ({}),
  addHooks: takeKeyOfDatadog,
});

const keyMissing =
  "An API key is required. Create one under Settings, API Keys, and set it as DD_API_KEY; a library that sends no key to an agent takes it as the password in DD_TRACE_AGENT_URL=http://key:fk_...@HOST.";

/** Reads the key from the header of Datadog's libraries, and names their setting where it is missing. */
export function takeKeyOfDatadog(scope: FastifyInstance): void {
  scope.addHook("onRequest", async ({ headers }) => {
    const key = headers["dd-api-key"];
    if (key !== undefined && apiKeyOf(headers) === undefined) headers["x-api-key"] = key;
  });
  scope.addHook("preSerialization", async ({ headers }, reply, payload) => {
    if (reply.statusCode !== 401 || apiKeyOf(headers) !== undefined) return payload;
    return { ...(payload as object), error: keyMissing };
  });
}

function encodeForm(
  { contentType, body, scope }: UploadRequest,
  sent: SentDefinitions,
): Outcome<readonly Encoded[]> {
  const form = readForm(contentType, body);
  if (!form.ok) return form;
  const event = readEvent(form.value.event);
  if (!event.ok) return event;
  const read = form.value.attachments.filter(({ name }) => profileName.test(name) || name === metricsName);
  if (read.length > scope.profilesMax) return tooManyProfiles(scope.profilesMax);
  return encodeEach(uploadsOf(read, event.value, scope), scopeWithin(scope, 0), sent);
}

interface Attachment {
  readonly name: string;
  readonly body: Uint8Array;
}

interface DatadogForm {
  readonly event: Uint8Array;
  readonly attachments: readonly Attachment[];
}

/** Others are metrics, which become a profile, and execution traces and lists of source files. */
const profileName = /\.(?:pprof|jfr)$/i;

function readForm(contentType: string | undefined, body: Uint8Array): Outcome<DatadogForm> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) {
    return refused(
      "invalid",
      "multipart",
      "The Content-Type is not multipart/form-data with a boundary. Send what Datadog's libraries send; a file with a profile belongs to /api/v1/ingest/profiles?service=NAME.",
    );
  }
  const parts = splitMultipart(body, boundary);
  if (!parts.ok) return parts;
  const named = parts.value.map(({ name, filename, body }) => ({ name: filename || name, body }));
  const isEvent = ({ name }: Attachment) => name === "event.json" || name === "event";
  const event = named.find(isEvent);
  if (event === undefined) {
    return refused(
      "invalid",
      "datadog_event",
      "The form has no part event.json, which names the service and the time of the profiles. Send it with the attachments.",
    );
  }
  const attachments = named.filter((part) => !isEvent(part));
  if (attachments.length > 0) return accepted({ event: event.body, attachments });
  return refused(
    "invalid",
    "datadog_empty",
    "The form has no attachment. Send at least one profile, such as cpu.pprof.",
  );
}

const Time = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const Event = z.object({ start: Time, end: Time, tags_profiler: z.string(), family: z.string().optional() });

/** Libraries send some kilobytes, and the requests of each HTTP endpoint. */
const eventLimits = { depthMax: jsonDepthMax, bytesMax: 1024 * 1024 };

/** The members of an upload that all profiles of a form share, from `event.json`. */
type Shared = Pick<Upload, "service" | "startedAtMs" | "durationNs" | "tags" | "extraFacts">;

function readEvent(bytes: Uint8Array): Outcome<Shared> {
  const json = parsed(bytes, "event");
  if (!json.ok) return json;
  const event = Event.safeParse(json.value);
  if (!event.success) {
    const issue = event.error.issues[0];
    return malformed("event", `${issue?.path.join(".") || "the event"}: ${issue?.message ?? "invalid"}`);
  }
  const { start, end, tags_profiler: text, family } = event.data;
  const tags = tagsOf(text);
  const name = tags.find(([tag]) => tag === "service")?.[1];
  if (name === undefined || name === "") {
    return refused(
      "invalid",
      "service",
      "tags_profiler of event.json names no service. Set DD_SERVICE where the program starts.",
    );
  }
  const service = checkedService(name);
  if (!service.ok) return service;
  return accepted({
    service: service.value,
    startedAtMs: start,
    durationNs: BigInt(Math.max(0, end - start)) * 1_000_000n,
    tags: tags.filter(([tag]) => tag !== "service" && !ofOneUpload.test(tag)),
    extraFacts: new Map(family === undefined ? [] : [["family", family.slice(0, 100).toWellFormed()]]),
  });
}

/** Tags that differ between the uploads of a process would split its series. */
const ofOneUpload = /^(?:profile_seq|snapshot|go_execution_traced|_dd\..*)$/;

function tagsOf(text: string): (readonly [string, string])[] {
  return text
    .split(",")
    .filter((tag) => tag.trim() !== "")
    .map((tag) => {
      const colon = tag.indexOf(":");
      return colon < 0 ? [tag.trim(), ""] : [tag.slice(0, colon).trim(), tag.slice(colon + 1).trim()];
    });
}

/** Counters of Go since the start of the process, if DD_PROFILING_DELTA is off. Every other profile is of the period of the event. */
const sinceStart = /^(?:heap|mutex|block)\.pprof$/;

function* uploadsOf(
  attachments: readonly Attachment[],
  shared: Shared,
  scope: EncodeScope,
): Generator<PlacedUpload> {
  for (const { name, body } of attachments) {
    const attachment = name.slice(0, 100).toWellFormed();
    // A copy, because the stored profile outlives the memory of the request.
    const profile = name === metricsName ? metricsOf(body, shared, scope) : accepted(Uint8Array.from(body));
    if (!profile.ok) yield { place: attachment, upload: profile };
    else if (profile.value !== undefined)
      yield { place: attachment, upload: accepted(uploadOf(attachment, profile.value, shared)) };
  }
}

function uploadOf(attachment: string, body: Uint8Array, shared: Shared): Upload {
  const isDelta = shared.extraFacts.get("family") !== "go" || !sinceStart.test(attachment);
  return {
    ...shared,
    type: undefined,
    nameHint: attachment,
    durationNs: isDelta ? shared.durationNs : 0n,
    extraFacts: new Map([...shared.extraFacts, ["attachment", attachment]]),
    isDelta,
    sender: "datadog",
    body,
  };
}

/** Undefined if the metrics have nothing that is kept. */
function metricsOf(
  body: Uint8Array,
  { durationNs }: Shared,
  { inflatedBytesMax }: EncodeScope,
): Outcome<Uint8Array | undefined> {
  const json = inflateLayer(body, inflatedBytesMax, "INGEST_MAX_INFLATED_BYTES");
  if (!json.ok) return json;
  const metrics = parsed(json.value, "metrics");
  return metrics.ok ? accepted(pprofOfMetrics(metrics.value, durationNs)) : metrics;
}

type JsonPart = "event" | "metrics";

function parsed(bytes: Uint8Array, part: JsonPart): Outcome<unknown> {
  try {
    return accepted(parseJson(bytes, eventLimits));
  } catch (error) {
    if (error instanceof JsonFault) return malformed(part, `${error.message} (byte ${error.offset})`);
    throw error;
  }
}

function malformed(part: JsonPart, what: string): Outcome<never> {
  return refused("invalid", `datadog_${part}`, `The part ${part}.json cannot be read: ${what}.`);
}

import { ingestDatadog } from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { apiKeyOf } from "#auth/credentials.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import type { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import type { Upload } from "#ingest/upload/upload.ts";
import { parseJson } from "#json/parse-json.ts";
import { JsonFault, jsonDepthMax } from "#json/scan-json.ts";
import { metricsName, readMetrics } from "./datadog-metrics.ts";
import { boundaryOf, splitMultipart } from "./multipart.ts";
import { encodeEach, type PlacedUpload, scopeWithin } from "./push.ts";
import { tooManyProfiles } from "./push-message.ts";
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
  "An API key is required. Create one under Settings, API Keys, and set it as DD_API_KEY; Python takes it as the password in DD_TRACE_AGENT_URL=http://key:fk_...@HOST, and Node needs a proxy that adds it: see /docs/send/datadog.";

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

function encodeForm({ contentType, body, scope }: UploadRequest, sent: SentDefinitions): EncodedRequest {
  const form = readForm(contentType, body);
  if (!form.ok) return form;
  const event = readEvent(form.value.event);
  if (!event.ok) return event;
  const { attachments } = form.value;
  const profiles = attachments.filter(({ name }) => profileName.test(name));
  if (profiles.length > scope.profilesMax) return tooManyProfiles(scope.profilesMax);
  const limits = scopeWithin(scope, 0);
  const encoded = encodeEach(uploadsOf(profiles, event.value), limits, sent);
  if (!encoded.ok) return encoded;
  const { uploads, unreadable } = metricsOf(attachments, event.value);
  // The limits are for the profiles: the metrics take nothing of them.
  const metrics = encodeEach(uploads, limits, sent);
  if (!metrics.ok) return metrics;
  const all = accepted([...encoded.value, ...metrics.value]);
  return unreadable === 0 ? all : { ...all, dropped: new Map([["datadog_metrics", unreadable]]) };
}

/** The service of a form, without reading its profiles; undefined where a worker thread has to look for it. */
export function serviceOfForm(contentType: string | undefined, body: Uint8Array): string | undefined {
  const form = readForm(contentType, body);
  if (!form.ok || form.value.event.length > shortEventBytesMax) return undefined;
  const event = readEvent(form.value.event);
  return event.ok ? event.value.service : undefined;
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
      "The Content-Type is not multipart/form-data with a boundary. Send the form of Datadog's libraries; send a single profile to /api/v1/ingest/profiles?service=NAME.",
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

const shortEventBytesMax = 64 * 1024;
/** Libraries send some kilobytes, and the requests of each HTTP endpoint. */
const eventLimits = { depthMax: jsonDepthMax, bytesMax: 1024 * 1024 };

/** The members of an upload that all profiles of a form share, from `event.json`. */
type Shared = Pick<Upload, "service" | "startedAtMs" | "durationNs" | "tags" | "extraFacts">;

function readEvent(bytes: Uint8Array): Outcome<Shared> {
  const json = parsed(bytes);
  if (!json.ok) return json;
  const event = Event.safeParse(json.value);
  if (!event.success) {
    const issue = event.error.issues[0];
    return malformed(`${issue?.path.join(".") || "the event"}: ${issue?.message ?? "invalid"}`);
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

function* uploadsOf(attachments: readonly Attachment[], shared: Shared): Generator<PlacedUpload> {
  for (const { name, body } of attachments) {
    // A copy, because the stored profile outlives the memory of the request.
    yield uploadOf(name.slice(0, 100).toWellFormed(), Uint8Array.from(body), shared);
  }
}

/** The profiles of the metrics, and the number of attachments with metrics that cannot be read. */
function metricsOf(attachments: readonly Attachment[], shared: Shared) {
  const uploads: PlacedUpload[] = [];
  let unreadable = 0;
  for (const { name, body } of attachments) {
    if (name !== metricsName) continue;
    const profile = readMetrics(body, shared.durationNs);
    if (profile === "unreadable") unreadable++;
    else if (profile !== undefined) uploads.push(uploadOf(name, profile, shared));
  }
  return { uploads, unreadable };
}

function uploadOf(attachment: string, body: Uint8Array, shared: Shared): PlacedUpload {
  const isDelta = shared.extraFacts.get("family") !== "go" || !sinceStart.test(attachment);
  const upload: Upload = {
    ...shared,
    type: undefined,
    nameHint: attachment,
    durationNs: isDelta ? shared.durationNs : 0n,
    extraFacts: new Map([...shared.extraFacts, ["attachment", attachment]]),
    isDelta,
    sender: "datadog",
    body,
  };
  return { place: attachment, upload: accepted(upload) };
}

function parsed(bytes: Uint8Array): Outcome<unknown> {
  try {
    return accepted(parseJson(bytes, eventLimits));
  } catch (error) {
    if (error instanceof JsonFault) return malformed(`${error.message} (byte ${error.offset})`);
    throw error;
  }
}

function malformed(fault: string): Outcome<never> {
  return refused("invalid", "datadog_event", `The part event.json cannot be read: ${fault}.`);
}

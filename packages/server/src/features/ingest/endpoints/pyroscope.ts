import { ingestPyroscope } from "@flamekeep/contract";
import type { FastifyInstance } from "fastify";
import { nothingRecorded } from "#ingest/encode/checks/explain-refusal.ts";
import { checkedService } from "#ingest/encode/checks/service-name.ts";
import { accepted, type Outcome, refused } from "#ingest/refusal.ts";
import { explainParameters } from "./parameters/explain-parameters.ts";
import { acceptedParameters } from "./parameters/ignored-parameters.ts";
import { pyroscopeForm } from "./pyroscope/pyroscope-form.ts";
import { parsePyroscopeName } from "./pyroscope/pyroscope-name.ts";
import { parsePyroscopeTime } from "./pyroscope/pyroscope-time.ts";
import { parameter, type Query, type Upload } from "./upload.ts";
import {
  type Encode,
  oneProfile,
  profileLimits,
  type UploadRequest,
  uploadEndpoint,
} from "./upload-endpoint.ts";

/** `/ingest` as Pyroscope's SDKs and agents call it. */
export const pyroscopeEndpoint = uploadEndpoint({
  call: ingestPyroscope,
  paths: [ingestPyroscope.path, `/pyroscope${ingestPyroscope.path}`],
  limits: profileLimits,
  encode: acceptNothing(oneProfile(pyroscopeUpload)),
  reply: () => ({}),
  addHooks(scope) {
    explainParameters(scope, acceptedParameters(ingestPyroscope));
    addMessage(scope);
  },
});

/** Pyroscope accepts the empty profiles of SDKs that recorded nothing, for instance when they stop. */
function acceptNothing(encode: Encode): Encode {
  return (request, sent) => {
    const outcome = encode(request, sent);
    return !outcome.ok && outcome.refusal.reason === nothingRecorded ? accepted([]) : outcome;
  };
}

/** Pyroscope's clients read `message` of an error. */
function addMessage(scope: FastifyInstance): void {
  scope.addHook("preSerialization", async (_request, reply, payload) => {
    if (reply.statusCode < 400 || typeof payload !== "object" || payload === null) return payload;
    return "error" in payload ? { ...payload, message: payload.error } : payload;
  });
}

function pyroscopeUpload({ query, contentType, body, scope }: UploadRequest): Outcome<Upload> {
  const { nowMs } = scope;
  const name = parsePyroscopeName(parameter(query, "name") ?? "");
  if (!name.ok) return name;
  const { app, labels } = name.value;
  const tags = new Map(labels);
  const label = tags.get("service_name");
  tags.delete("service_name");
  if (label !== undefined && label !== "") tags.set("app_name", app);
  const service = checkedService(label !== undefined && label !== "" ? label : app);
  if (!service.ok) return service;

  const from = time(query, "from", nowMs);
  if (!from.ok) return from;
  const until = time(query, "until", nowMs);
  if (!until.ok) return until;
  const form = pyroscopeForm(parameter(query, "format"), contentType, body);
  if (!form.ok) return form;
  return accepted({
    service: service.value,
    type: undefined,
    nameHint: form.value.sampleTypeNames,
    startedAtMs: from.value === undefined ? undefined : Number(from.value / 1_000_000n),
    durationNs: span(from.value, until.value),
    tags,
    extraFacts: extraFactsOf(query),
    isDelta: !form.value.isCumulative,
    sender: "pyroscope",
    body: form.value.profile,
  });
}

function time(query: Query, name: "from" | "until", nowMs: number): Outcome<bigint | undefined> {
  const text = parameter(query, name);
  if (text === undefined) return accepted(undefined);
  const ns = parsePyroscopeTime(text, nowMs);
  if (ns !== undefined) return accepted(ns);
  return refused(
    "invalid",
    name,
    `${name} must be Unix time in s, ms, µs or ns, a day as YYYYMMDD, or now-1h.`,
  );
}

function span(from: bigint | undefined, until: bigint | undefined): bigint {
  return from !== undefined && until !== undefined && until > from ? until - from : 0n;
}

const factsKept = ["spyName", "sampleRate", "units", "aggregationType"] as const;

function extraFactsOf(query: Query): Map<string, string> {
  const facts = new Map<string, string>();
  for (const name of factsKept) {
    const value = parameter(query, name);
    if (value !== undefined) facts.set(name, value.slice(0, 100).toWellFormed());
  }
  return facts;
}

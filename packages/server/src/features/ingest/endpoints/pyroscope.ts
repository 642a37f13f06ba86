import { impossibleTime, ingestPyroscope } from "@flamekeep/contract";
import { dayMs, hourMs, minuteMs } from "@flamekeep/contract/durations";
import { endpointOf } from "@flamekeep/contract/schemas";
import type { FastifyInstance } from "fastify";
import { nothingRecorded } from "#ingest/encode/checks/explain-refusal.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import { accepted, type Outcome, refused } from "#ingest/upload/refusal.ts";
import { parameter, type Query, type Upload } from "#ingest/upload/upload.ts";
import { explainParameters } from "./parameters/explain-parameters.ts";
import { acceptedParameters } from "./parameters/ignored-parameters.ts";
import { pyroscopeForm } from "./pyroscope-form.ts";
import {
  type Encode,
  oneProfile,
  profileLimits,
  type UploadRequest,
  uploadEndpoint,
} from "./upload-endpoint.ts";

/** `/ingest` as Pyroscope's SDKs and agents call it. */
export const pyroscopeEndpoint = uploadEndpoint({
  call: endpointOf(ingestPyroscope),
  paths: [ingestPyroscope.path, `/pyroscope${ingestPyroscope.path}`],
  limits: profileLimits,
  encode: acceptNothing(oneProfile(pyroscopeUpload)),
  reply: () => ({}),
  addHooks(scope) {
    explainParameters(scope, acceptedParameters(endpointOf(ingestPyroscope)));
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

interface PyroscopeName {
  readonly app: string;
  /** In the order sent; the last of equal names counts. */
  readonly labels: ReadonlyMap<string, string>;
}

const nameLengthMax = 16 * 1024;

/**
 * `app{k=v,k2=v2}` as Pyroscope's SDKs write it: no quoting, no escaping, a value ends at `,` or `}`,
 * names and values are trimmed.
 */
export function parsePyroscopeName(text: string): Outcome<PyroscopeName> {
  if (text.length > nameLengthMax) return malformed(`it is longer than ${nameLengthMax} characters`);
  const open = text.indexOf("{");
  const app = (open < 0 ? text : text.slice(0, open)).trim();
  if (app === "") return malformed("it has no application name before the braces");
  if (app.includes("}")) return malformed("it closes braces that were never opened");
  const labels = new Map<string, string>();
  if (open < 0) return accepted({ app, labels });

  const close = text.indexOf("}", open);
  if (close < 0) return malformed("the closing brace is missing");
  if (text.slice(close + 1).trim() !== "") return malformed("something follows the closing brace");
  for (const pair of text.slice(open + 1, close).split(",")) {
    if (pair.trim() === "") continue;
    const equals = pair.indexOf("=");
    if (equals < 0) return malformed(`the label ${JSON.stringify(pair.trim())} has no value`);
    const name = pair.slice(0, equals).trim();
    if (name === "") return malformed("a label has no name");
    if (name === "__name__") return malformed("the label __name__ is reserved");
    labels.set(name, pair.slice(equals + 1).trim());
  }
  return accepted({ app, labels });
}

function malformed(what: string): Outcome<never> {
  return refused(
    "invalid",
    "name",
    `The parameter name cannot be read: ${what}. Write it as app{region=eu,version=1.2}.`,
  );
}

const relative = /^now(?:-(\d{1,9})(s|m|h|d))?$/;
const unitMs = { s: 1000, m: minuteMs, h: hourMs, d: dayMs } as const;

/**
 * `from` and `until` of `/ingest` in Unix nanoseconds, distinguished by their number of digits: 8 `YYYYMMDD`,
 * 13 milliseconds, 16 microseconds, 19 nanoseconds, any other count seconds; also `now` and `now-1h`
 * (Pyroscope, pkg/og/util/attime). Undefined when it is none of these.
 */
export function parsePyroscopeTime(text: string, nowMs: number): bigint | undefined {
  const match = relative.exec(text);
  if (match !== null) {
    const back = match[1] === undefined ? 0 : Number(match[1]) * unitMs[match[2] as keyof typeof unitMs];
    return BigInt(nowMs - back) * 1_000_000n;
  }
  if (!/^\d{1,19}$/.test(text)) return undefined;
  if (text.length === 8) {
    const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
    const day = Date.parse(`${date}T00:00:00Z`);
    // Date.parse takes February 30 for March 2; of a month 13 or a day 32 it makes nothing.
    if (!Number.isNaN(day)) {
      return impossibleTime(date) === undefined ? BigInt(day) * 1_000_000n : undefined;
    }
  }
  const value = BigInt(text);
  if (text.length === 13) return value * 1_000_000n;
  if (text.length === 16) return value * 1000n;
  if (text.length === 19) return value;
  return value * 1_000_000_000n;
}

import { checkedService } from "#ingest/encode/checks/service-name.ts";
import { parameter, type Query, type Upload } from "#ingest/endpoints/upload.ts";
import { accepted, type Outcome, refused } from "#ingest/refusal.ts";
import { pyroscopeForm } from "./pyroscope-form.ts";
import { parsePyroscopeName } from "./pyroscope-name.ts";
import { parsePyroscopeTime } from "./pyroscope-time.ts";

export interface PyroscopeRequest {
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
  readonly nowMs: number;
}

/** `/ingest` as Pyroscope's SDKs and agents call it. */
export function pyroscopeUpload({ query, contentType, body, nowMs }: PyroscopeRequest): Outcome<Upload> {
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
    facts: factsOf(query),
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

function factsOf(query: Query): Map<string, string> {
  const facts = new Map<string, string>();
  for (const name of factsKept) {
    const value = parameter(query, name);
    if (value !== undefined) facts.set(name, value.slice(0, 100).toWellFormed());
  }
  return facts;
}

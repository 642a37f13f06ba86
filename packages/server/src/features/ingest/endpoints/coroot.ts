import { FileReply } from "#http/reply/reply.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import { accepted, type Outcome } from "#ingest/upload/refusal.ts";
import { parameter, type Query, type Upload } from "#ingest/upload/upload.ts";
import { oneProfile, type UploadRequest } from "./upload-endpoint.ts";

const serviceParameter = "service.name";

/** Coroot's agents send to an address of OTLP, and name the service in the query. */
export function isOfCoroot(query: Query): boolean {
  return Object.hasOwn(query, serviceParameter);
}

/** The agents only read the status. */
export const emptyReply = new FileReply("application/json", Buffer.from("{}"));

/** `POST /v1/profiles?service.name=...`: pprof, whose agents subtract counters themselves. All other parameters are tags. */
export const encodeCoroot = oneProfile(corootUpload);

function corootUpload({ query, body }: UploadRequest): Outcome<Upload> {
  const service = checkedService(parameter(query, serviceParameter) ?? "");
  if (!service.ok) return service;
  const names = Object.keys(query).filter((name) => name !== serviceParameter);
  return accepted({
    service: service.value,
    type: undefined,
    nameHint: undefined,
    startedAtMs: undefined,
    durationNs: 0n,
    tags: names.map((name) => [name, parameter(query, name) ?? ""]),
    extraFacts: new Map(),
    isDelta: true,
    sender: "coroot",
    body,
  });
}

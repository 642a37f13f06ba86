import { ingestHttpMetrics } from "@flamekeep/contract";
import { endpointOf, HttpMetric } from "@flamekeep/contract/schemas";
import type { z } from "zod";
import { ruleOf } from "#http/endpoint/validate.ts";
import { datedMetric, otherUnitOf, withinWindow } from "#ingest/encode/checks/started-at.ts";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { inflateUpload } from "#ingest/encode/inflate-upload.ts";
import { RequestBatch } from "#ingest/encode/request-batch.ts";
import { closestName, quotableName } from "#ingest/endpoints/parameters/closest-name.ts";
import type { Encoded } from "#ingest/rows/encoded.ts";
import type { MetricsSender } from "#ingest/upload/recorded-upload.ts";
import { accepted, type Outcome, type Refusal } from "#ingest/upload/refusal.ts";
import { parameter } from "#ingest/upload/upload.ts";
import { readMetrics } from "./metric-items.ts";
import { explainParameters } from "./parameters/explain-parameters.ts";
import { acceptedParameters, ignoredParameters } from "./parameters/ignored-parameters.ts";
import { asList, onlyUpload, uploadEndpoint } from "./upload-endpoint.ts";

const parameters = acceptedParameters(endpointOf(ingestHttpMetrics));

/** HTTP metrics: each is a row of `http_requests`, and one row of `profiles` counts the batch. */
export const httpMetricsEndpoint = uploadEndpoint({
  call: endpointOf(ingestHttpMetrics),
  paths: [ingestHttpMetrics.path],
  limits: ({ maxMetricsBytes, maxMetrics }) => ({
    inflatedBytesMax: maxMetricsBytes,
    samplesMax: maxMetrics,
  }),
  encode: ({ query, body, scope }) =>
    asList(encodeHttpMetrics(parameter(query, "service") ?? "", body, scope)),
  reply(stored, { query }) {
    const { encoded, isDuplicate } = onlyUpload(stored);
    return {
      profile_id: encoded.profileId,
      accepted: encoded.sampleCount,
      duplicate: isDuplicate,
      ignored: ignoredParameters(query, parameters),
    };
  },
  addHooks: (scope) => explainParameters(scope, parameters),
});

/** A batch of HTTP metrics: its requests, and one profile of type metrics that counts them. */
export function encodeHttpMetrics(
  serviceText: string,
  body: Uint8Array,
  scope: EncodeScope,
  sender: MetricsSender = "api",
): Outcome<Encoded> {
  const service = checkedService(serviceText);
  if (!service.ok) return service;
  const inflated = inflateUpload(body, scope.inflatedBytesMax, scope.sending, "INGEST_MAX_METRICS_BYTES");
  if (!inflated.ok) return inflated;
  const { raw } = inflated.value;
  const batch = new RequestBatch(service.value, 2 * raw.length, scope);
  const count = readMetrics(raw, scope.samplesMax, (item, index) => addMetric(batch, item, index, scope));
  if (!count.ok) return count;
  return accepted(batch.encode({ raw, body, sender }));
}

/** Adds the metric with this index to the batch, or says why it is refused. */
function addMetric(
  batch: RequestBatch,
  item: unknown,
  index: number,
  scope: EncodeScope,
): Refusal | undefined {
  const parsed = HttpMetric.safeParse(item, plainErrors);
  if (!parsed.success) return notAMetric(index, item, parsed.error);
  const { timestamp } = parsed.data;
  const unit = typeof timestamp === "number" ? otherUnitOf(timestamp) : undefined;
  if (unit !== undefined) return metricRefusal(`Metric ${index + 1}: timestamp ${unit}`);
  const at = typeof timestamp === "number" ? Math.floor(timestamp) : Date.parse(timestamp);
  const window = withinWindow(at, scope, datedMetric(index));
  if (!window.ok) return window.refusal;
  batch.add(at, parsed.data);
  return undefined;
}

const plainErrors = { error: ruleOf };

function notAMetric(index: number, item: unknown, { issues: [issue] }: z.ZodError): Refusal {
  const field = issue?.path.join(".") || "it";
  const rule = issue?.message ?? "is not valid";
  return metricRefusal(`Metric ${index + 1}: ${field} ${rule}.${misspeltField(field, item)}`);
}

function metricRefusal(message: string): Refusal {
  return { code: "invalid", reason: "metric", message: `${message} Nothing of the batch was stored.` };
}

/** Names that other programs have for the fields of a metric. */
const synonyms: Readonly<Record<string, string>> = {
  status: "status_code",
  code: "status_code",
  httpstatus: "status_code",
  time: "timestamp",
  at: "timestamp",
  ts: "timestamp",
  latency: "duration",
  durationms: "duration",
  durationseconds: "duration",
  verb: "method",
  url: "path",
  uri: "path",
  route: "path",
};

const keysMax = 100;

/** A sentence, with a space before it, about the member of a metric that was probably meant as `field`; empty where there is none. */
function misspeltField(field: string, item: unknown): string {
  if (typeof item !== "object" || item === null || Object.hasOwn(item, field)) return "";
  const key = Object.keys(item)
    .slice(0, keysMax)
    .find(
      (each) => !(each in HttpMetric.shape) && closestName(quotableName(each), [field], synonyms) === field,
    );
  if (key === undefined) return "";
  const unit = field === "duration" ? " in seconds" : "";
  return ` The metric has ${quotableName(key)}: did you mean ${field}${unit}?`;
}

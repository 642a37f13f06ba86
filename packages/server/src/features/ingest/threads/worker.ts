import { type EncodeScope, encodeProfile } from "#ingest/encode/encode-profile.ts";
import { countersOf, type StoredCounters } from "#ingest/encode/read-counters.ts";
import { encodeHttpMetrics } from "#ingest/endpoints/http-metrics.ts";
import { type Format, uploadEndpoints } from "#ingest/endpoints/table.ts";
import { asList } from "#ingest/endpoints/upload-endpoint.ts";
import { encodeReported } from "#ingest/otlp/encode-histograms.ts";
import { SentDefinitions } from "#ingest/rows/definitions.ts";
import type { Encoded, EncodedRequest } from "#ingest/rows/encoded.ts";
import { type RecordedMetrics, type RecordedUpload, uploadOf } from "#ingest/upload/recorded-upload.ts";
import { accepted, type Outcome } from "#ingest/upload/refusal.ts";
import type { Query } from "#ingest/upload/upload.ts";
import { free } from "#memory/free.ts";
import { moved } from "#memory/threads.ts";

/** One request's work for a worker thread. */
export interface Task {
  readonly format: Format;
  readonly scope: EncodeScope;
  /** See `SentDefinitions`. */
  readonly definitionsGeneration: number;
  readonly query: Query;
  readonly contentType: string | undefined;
  readonly body: Uint8Array;
}

const sent = new SentDefinitions();

/** Entry of the worker threads: turns a request's bytes into rows, or refuses them. */
export function encode(task: Task): unknown {
  const outcome = outcomeOf(task);
  const isKept = outcome.ok && outcome.value.some(({ payload }) => payload.buffer === task.body.buffer);
  if (!isKept) free(task.body);
  return toMoved(outcome);
}

/** An upload that was accepted before and whose rows may be missing. */
export interface RepeatedTask extends Pick<Task, "definitionsGeneration" | "scope" | "body"> {
  readonly recorded: RecordedUpload;
}

/** Entry: encodes an upload again. */
export function encodeAgain({ recorded, scope, body, definitionsGeneration }: RepeatedTask): unknown {
  sent.useGeneration(definitionsGeneration);
  const outcome = sent.duringRequest(() =>
    recorded.kind === "metrics"
      ? encodedMetrics(recorded, scope, body)
      : encodeProfile(uploadOf(recorded, body), scope, sent),
  );
  return toMoved(asList(outcome));
}

function encodedMetrics(
  { service, sender }: RecordedMetrics,
  scope: EncodeScope,
  body: Uint8Array,
): Outcome<Encoded> {
  return sender === "otlp_histogram"
    ? accepted(encodeReported(service, body, scope))
    : encodeHttpMetrics(service, body, scope, sender);
}

/** Entry: reads the counters of a stored profile, with which the next snapshot of its series is compared. */
export function readCounters(payload: Uint8Array): StoredCounters | undefined {
  return countersOf(payload);
}

function outcomeOf({ format, scope, definitionsGeneration, query, contentType, body }: Task): EncodedRequest {
  sent.useGeneration(definitionsGeneration);
  return sent.duringRequest(() => uploadEndpoints[format].encode({ query, contentType, body, scope }, sent));
}

/** Moves the rows' memory to the main thread instead of copying it. */
function toMoved(outcome: EncodedRequest): unknown {
  if (!outcome.ok) return outcome;
  const views: ArrayBufferView[] = [];
  for (const { rows, payload, cumulative } of outcome.value) {
    views.push(...Object.values(rows), payload);
    if (cumulative !== undefined) views.push(cumulative.stackValues.ids, ...cumulative.stackValues.values);
  }
  return moved(outcome, views);
}

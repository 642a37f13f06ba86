import type { HttpMetric } from "@flamekeep/contract";
import { checkedService } from "#ingest/encode/checks/tags.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { RequestBatch } from "#ingest/encode/request-batch.ts";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";
import { type Outcome, type Refused, refused } from "#ingest/upload/refusal.ts";
import { checkedRequest } from "./checked-request.ts";
import { type HttpSpan, readSpans } from "./read-spans.ts";

/** Bytes of a request's rows, at first. */
const linesBytes = 16 * 1024;

/**
 * Server spans of HTTP as batches of HTTP metrics, one for each service. The log gets a batch in the form of our own endpoint, so that it
 * is encoded again without the rest of the spans.
 *
 * @param message an `ExportTraceServiceRequest`
 * @throws ReadRefusal if it is none
 */
export function encodeSpans(message: Uint8Array, scope: EncodeScope): EncodedRequest {
  const batches = new Batches(scope);
  const dropped = readSpans(message, (service, span) => batches.add(service, span));
  return batches.encode(dropped);
}

/** A service with its batch, or why it has none. */
type Service = Outcome<{ readonly batch: RequestBatch; text: string }>;

/** The requests of all services, and what is wrong with the others. */
class Batches {
  readonly #scope: EncodeScope;
  readonly #services = new Map<string, Service>();
  #rejected = 0;
  #firstFault: string | undefined;
  #tooLarge: Refused | undefined;
  #count = 0;
  #bytes = 0;

  constructor(scope: EncodeScope) {
    this.#scope = scope;
  }

  add(serviceText: string, span: HttpSpan): void {
    this.#count++;
    this.#tooLarge ??= this.#limitFault();
    if (this.#tooLarge !== undefined) return;
    const fault = this.#addTo(this.#serviceOf(serviceText), span);
    if (fault === undefined) return;
    this.#rejected++;
    this.#firstFault ??= fault.refusal.message;
  }

  #addTo(service: Service, span: HttpSpan): Refused | undefined {
    if (!service.ok) return service;
    const metric = checkedMetric(span, this.#scope);
    if (!metric.ok) return metric;
    const line = `${JSON.stringify(metric.value)}\n`;
    this.#bytes += line.length;
    service.value.text += line;
    service.value.batch.add(span.startMs, metric.value);
    return undefined;
  }

  encode(dropped: ReadonlyMap<string, number>): EncodedRequest {
    const tooLarge = this.#tooLarge ?? this.#limitFault();
    if (tooLarge !== undefined) return tooLarge;
    const value = [...this.#services.values()].flatMap((service) => {
      if (!service.ok || service.value.text === "") return [];
      const raw = new TextEncoder().encode(service.value.text);
      return [service.value.batch.encode({ raw, body: raw, sender: "otlp" })];
    });
    const rejected =
      this.#firstFault === undefined ? undefined : { count: this.#rejected, message: this.#firstFault };
    return { ok: true, value, dropped, ...(rejected && { rejected }) };
  }

  #serviceOf(text: string): Service {
    const known = this.#services.get(text);
    if (known !== undefined) return known;
    const name = checkedService(text);
    const service: Service = name.ok
      ? { ok: true, value: { batch: new RequestBatch(name.value, linesBytes, this.#scope), text: "" } }
      : name;
    this.#services.set(text, service);
    return service;
  }

  /** The batches must fit the limits of batches of HTTP metrics: they are encoded again as such. */
  #limitFault(): Refused | undefined {
    const { samplesMax, profilesMax, inflatedBytesMax } = this.#scope;
    if (this.#count > samplesMax) {
      return refused(
        "too_large",
        "metrics",
        `The request has more than ${samplesMax} spans of HTTP servers. Send smaller batches, or raise INGEST_MAX_METRICS on the server.`,
      );
    }
    if (this.#services.size > profilesMax) {
      return refused(
        "too_large",
        "profiles",
        `The request has spans of more than ${profilesMax} services. Send smaller batches, or raise INGEST_MAX_PROFILES on the server.`,
      );
    }
    if (this.#bytes <= inflatedBytesMax) return undefined;
    return refused(
      "too_large",
      "inflated_bytes",
      `The HTTP requests of the spans take more than ${inflatedBytesMax} bytes. Send smaller batches, or raise INGEST_MAX_METRICS_BYTES on the server.`,
    );
  }
}

const datedSpan = { what: "A span", remedy: "correct its start_time_unix_nano" };

/** The metric of a span, with the rules of our own endpoint. */
function checkedMetric(span: HttpSpan, scope: EncodeScope): Outcome<HttpMetric> {
  const { startMs, durationSeconds, statusCode, method, path, traceId } = span;
  if (startMs === 0) return invalidSpan("has no start: set its start_time_unix_nano");
  if (durationSeconds < 0) return invalidSpan("ends before it starts: correct its end_time_unix_nano");
  const metric = {
    timestamp: startMs,
    duration: durationSeconds,
    status_code: statusCode,
    method,
    path,
    request_id: traceId,
  };
  return checkedRequest(metric, scope, datedSpan);
}

function invalidSpan(fault: string): Refused {
  return refused("invalid", "metric", `A span ${fault}.`);
}

import { checkedService } from "#ingest/encode/checks/tags.ts";
import type { EncodeScope } from "#ingest/encode/encode-profile.ts";
import { RequestBatch } from "#ingest/encode/request-batch.ts";
import type { Encoded, EncodedRequest } from "#ingest/rows/encoded.ts";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import { accepted, type Outcome, type Refused, refused } from "#ingest/upload/refusal.ts";
import { type Bucket, bucketsOf, weightOf } from "./buckets.ts";
import { checkedRequest } from "./checked-request.ts";
import { readHistograms } from "./read-histograms.ts";

/** Buckets with requests, and bounds, of a message: they go to the main thread. */
const bucketsMax = 100_000;
/** Bytes of a request's rows, at first. */
const linesBytes = 16 * 1024;
/** Fractions of its multiples are a sequence of low discrepancy: however many there are, they are spread evenly from 0 to 1. */
const goldenRatio = 0.618_033_988_749_894_9;

/**
 * Checks the histograms of HTTP servers in a message. They become requests once they are compared with the report before.
 *
 * @param message an `ExportMetricsServiceRequest`
 * @throws ReadRefusal if it is none
 */
export function encodeMetrics(message: Uint8Array, scope: EncodeScope): EncodedRequest {
  const histograms: HistogramPoint[] = [];
  let [buckets, faults] = [0, 0];
  let firstFault: string | undefined;
  let isTooLarge = false;
  const dropped = readHistograms(message, scope.samplesMax, (point) => {
    buckets += weightOf(point.distribution);
    isTooLarge ||= buckets > bucketsMax;
    if (isTooLarge) return;
    const checked = checkedPoint(point, scope);
    if (checked.ok) histograms.push(checked.value);
    else {
      faults++;
      firstFault ??= checked.refusal.message;
    }
  });
  if (isTooLarge) {
    return refused(
      "too_large",
      "metrics",
      `The HTTP histograms of the request have more than ${bucketsMax} buckets and bounds. Send smaller batches.`,
    );
  }
  const rejected = firstFault === undefined ? {} : { rejected: { count: faults, message: firstFault } };
  return { ok: true, value: [], dropped, histograms, ...rejected };
}

const datedPoint = { what: "A histogram", remedy: "correct its time_unix_nano" };

/** The point with the service as it is stored. */
function checkedPoint(point: HistogramPoint, scope: EncodeScope): Outcome<HistogramPoint> {
  const { timeMs, startMs, method, path, statusCode, fault, unitSeconds, distribution } = point;
  const service = checkedService(point.service);
  if (!service.ok) return service;
  if (fault !== undefined) return invalidPoint(fault);
  if (timeMs === 0) return invalidPoint("has no time: set its time_unix_nano");
  if (startMs > timeMs) return invalidPoint("ends before it starts: correct its time_unix_nano");
  const longest = bucketsOf(distribution, point).reduce((most, [, upper]) => Math.max(most, upper), 0);
  const duration = longest * unitSeconds;
  const metric = { timestamp: timeMs, duration, status_code: statusCode, method, path, request_id: "" };
  const checked = checkedRequest(metric, scope, datedPoint);
  return checked.ok ? accepted({ ...point, service: service.value }) : checked;
}

function invalidPoint(fault: string): Refused {
  return refused("invalid", "metric", `A histogram ${fault}.`);
}

/** Requests of one series between two reports. The log keeps them in this form, as JSON. */
export interface ReportedRequests {
  /** Names the series: equal reports of two processes are different uploads. */
  readonly series: string;
  readonly method: string;
  readonly path: string;
  readonly status_code: number;
  readonly fromMs: number;
  readonly toMs: number;
  /** Bounds in seconds. */
  readonly buckets: readonly Bucket[];
}

/**
 * A row for each request: durations evenly within their bucket, times evenly between the reports.
 *
 * @param body a JSON array of `ReportedRequests`
 */
export function encodeReported(
  service: string,
  body: Uint8Array,
  scope: { readonly orgId: string; readonly nowMs: number },
): Encoded {
  const batch = new RequestBatch(service, linesBytes, scope);
  const reports = JSON.parse(new TextDecoder().decode(body)) as readonly ReportedRequests[];
  for (const { method, path, status_code, fromMs, toMs, buckets } of reports) {
    let place = 0;
    for (const [lower, upper, count] of buckets) {
      for (let at = 0; at < count; at++) {
        const timestamp = Math.floor(fromMs + (toMs - fromMs) * ((++place * goldenRatio) % 1));
        const duration = lower + ((upper - lower) * (at + 0.5)) / count;
        batch.add(timestamp, { timestamp, duration, status_code, method, path, request_id: "" });
      }
    }
  }
  return batch.encode({ raw: body, body, sender: "otlp_histogram" });
}

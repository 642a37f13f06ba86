import { WireReader } from "@flamekeep/profile";
import type { EncodedRequest } from "#ingest/rows/encoded.ts";
import { eachMessage } from "./read-spans.ts";

/** The fields of `Metric` with data points (opentelemetry-proto 1.x): each is a message whose field 1 are its points. */
const kinds = new Map([
  [5, "gauge_point"],
  [7, "sum_point"],
  [9, "histogram_point"],
  [10, "exponential_histogram_point"],
  [11, "summary_point"],
]);

/**
 * Counts the data points of an `ExportMetricsServiceRequest`. All are dropped.
 *
 * @throws ReadRefusal if the bytes are no such message
 */
export function countDataPoints(bytes: Uint8Array): EncodedRequest {
  const wire = new WireReader(bytes);
  const dropped = new Map<string, number>();
  const countPoints = (end: number) => {
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const kind = kinds.get(tag >>> 3);
      if (kind === undefined || (tag & 7) !== 2) {
        wire.other(tag, end, "metrics", []);
        continue;
      }
      const stop = wire.block(end, "metrics.data");
      eachMessage(wire, stop, 1, "metrics.data_points", () =>
        dropped.set(kind, (dropped.get(kind) ?? 0) + 1),
      );
      wire.pos = stop;
    }
  };
  eachMessage(wire, bytes.length, 1, "resource_metrics", (end) =>
    eachMessage(wire, end, 2, "scope_metrics", (scopeEnd) =>
      eachMessage(wire, scopeEnd, 2, "metrics", countPoints),
    ),
  );
  return { ok: true, value: [], dropped };
}

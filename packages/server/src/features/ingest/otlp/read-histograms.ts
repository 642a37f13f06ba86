import { hash } from "node:crypto";
import { WireReader } from "@flamekeep/profile";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import { PointReader } from "./histogram-point.ts";
import { eachMessage, eachOfResources, type Origin, requestOf } from "./http-messages.ts";
import { KnownAttributes } from "./known-attributes.ts";

/** Names of histograms, and their unit in seconds. The second is the name before 2023, which some senders write besides the first. */
const histograms: ReadonlyMap<string, number> = new Map([
  ["http.server.request.duration", 1],
  ["http.server.duration", 0.001],
]);
const [currentName] = histograms.keys();
const units: ReadonlyMap<string, number> = new Map([
  ["s", 1],
  ["ms", 0.001],
]);

/** Fields of `Metric` with data points (opentelemetry-proto 1.x): each is a message whose field 1 are its points. */
const kinds = new Map([
  [5, "gauge_point"],
  [7, "sum_point"],
  [9, "histogram_point"],
  [10, "exponential_histogram_point"],
  [11, "summary_point"],
]);
const exponentialField = 10;

/** Templates of routes are often not known where no handler was found. */
const noRoute = "(no route)";
const cumulative = 2;

interface Metric {
  readonly origin: Origin;
  readonly name: string;
  readonly unit: string;
}

/**
 * Hands over the data points of histograms of HTTP servers in an `ExportMetricsServiceRequest`. Returns how many other points there
 * were, by kind.
 *
 * @throws ReadRefusal if the bytes are no such message
 */
export function readHistograms(
  bytes: Uint8Array,
  take: (point: HistogramPoint) => void,
): Map<string, number> {
  const reader = new HistogramReader(bytes);
  reader.read();
  const currentServices = new Set(
    reader.points.flatMap(({ name, point }) => (name === currentName ? point.service : [])),
  );
  for (const { name, point, kind } of reader.points) {
    if (name !== currentName && currentServices.has(point.service)) reader.drop(kind);
    else take(point);
  }
  return reader.dropped;
}

class HistogramReader {
  readonly #wire: WireReader;
  readonly #attributes: KnownAttributes;
  readonly #pointReader: PointReader;
  #process = { scopeStart: -1, name: "" };
  readonly dropped = new Map<string, number>();
  readonly points: { readonly name: string; readonly kind: string; readonly point: HistogramPoint }[] = [];

  constructor(bytes: Uint8Array) {
    this.#wire = new WireReader(bytes);
    this.#attributes = new KnownAttributes(this.#wire);
    this.#pointReader = new PointReader(this.#wire, this.#attributes);
  }

  read(): void {
    const fields = { resources: "resource_metrics", scopes: "scope_metrics", items: "metrics" };
    eachOfResources(this.#wire, this.#attributes, fields, (end, origin) => {
      const start = this.#wire.pos;
      const { name, unit } = this.#namesOf(end);
      this.#wire.pos = start;
      this.#readMetric(end, { name, unit, origin });
    });
  }

  drop(kind: string): void {
    this.dropped.set(kind, (this.dropped.get(kind) ?? 0) + 1);
  }

  /** A name of the resource and the scope, from their attributes in any order. */
  #processOf({ resource, scope }: Origin): string {
    const [start] = scope;
    if (this.#process.scopeStart === start) return this.#process.name;
    const wire = this.#wire;
    const after = wire.pos;
    const parts: string[] = [];
    const note = (end: number) => parts.push(hash("sha256", wire.bytes.subarray(wire.pos, end), "base64"));
    [wire.pos] = resource;
    eachMessage(wire, resource[1], 1, "resource", (end) =>
      eachMessage(wire, end, 1, "resource.attributes", note),
    );
    parts.sort();
    wire.pos = start;
    eachMessage(wire, scope[1], 1, "scope", note);
    wire.pos = after;
    this.#process = { scopeStart: start, name: parts.join() };
    return this.#process.name;
  }

  #namesOf(end: number): { readonly name: string; readonly unit: string } {
    const wire = this.#wire;
    let [name, unit] = ["", ""];
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag !== 0x0a && tag !== 0x1a) {
        wire.other(tag, end, "metrics", []);
        continue;
      }
      const stop = wire.block(end, "metrics.name");
      const text = Buffer.from(wire.bytes.buffer, wire.bytes.byteOffset + wire.pos, stop - wire.pos);
      if (tag === 0x0a) name = text.toString("utf8", 0, 100);
      else unit = text.toString("utf8", 0, 10);
      wire.pos = stop;
    }
    return { name, unit };
  }

  #readMetric(end: number, metric: Metric): void {
    const wire = this.#wire;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      const kind = kinds.get(tag >>> 3);
      if (kind === undefined || (tag & 7) !== 2) {
        wire.other(tag, end, "metrics", []);
        continue;
      }
      const stop = wire.block(end, "metrics.data");
      const start = wire.pos;
      const isHttp = kind.includes("histogram") && histograms.has(metric.name);
      const temporality = this.#temporalityOf(stop);
      wire.pos = start;
      eachMessage(wire, stop, 1, "metrics.data_points", (pointEnd) => {
        if (isHttp) this.#readPoint(pointEnd, { ...metric, kind, isCumulative: temporality === cumulative });
        else this.drop(kind);
      });
      wire.pos = stop;
    }
  }

  /** 1: the counts since the last report. 2: since the start. */
  #temporalityOf(end: number): number {
    const wire = this.#wire;
    let temporality = 0;
    while (wire.pos < end) {
      const tag = wire.tag(end);
      if (tag === 0x10) {
        wire.varint(end);
        temporality = wire.lo;
      } else wire.other(tag, end, "metrics.data", []);
    }
    return temporality;
  }

  #readPoint(end: number, metric: Metric & { readonly kind: string; readonly isCumulative: boolean }): void {
    const { name, unit, origin, kind, isCumulative } = metric;
    const form = kind === kinds.get(exponentialField) ? "exponential" : "explicit";
    const { start, attributes, ...point } = this.#pointReader.read(end, form);
    const { method, path, status } = requestOf(this.#attributes);
    if (method === "" || status === "") {
      this.drop(method === "" ? "histogram_not_http" : "histogram_without_status");
      return;
    }
    const layout = form === "explicit" ? point.distribution.layout : "";
    this.points.push({
      name,
      kind,
      point: {
        ...point,
        service: origin.service,
        method,
        path: path || noRoute,
        statusCode: Number(status),
        stream: shortHash([this.#processOf(origin), name, start]),
        series: shortHash([attributes, layout]),
        isCumulative,
        unitSeconds: units.get(unit) ?? histograms.get(name)!,
      },
    });
  }
}

/** Senders choose the texts, and must not be able to make two series one. */
function shortHash(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64").slice(0, 22);
}

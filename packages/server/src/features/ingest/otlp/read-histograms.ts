import { hash } from "node:crypto";
import { ReadRefusal, WireReader } from "@flamekeep/profile";
import type { HistogramPoint } from "#ingest/upload/histogram.ts";
import { checkAttributes, PointReader } from "./histogram-point.ts";
import { eachMessage, eachOfResources, type Origin, type Range, requestOf } from "./http-messages.ts";
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
const [delta, cumulative] = [1, 2];

interface Metric {
  readonly origin: Origin;
  readonly name: string;
  readonly unit: string;
}

/**
 * Hands over the data points of histograms of HTTP servers in an `ExportMetricsServiceRequest`. Returns how many other points there
 * were, by kind.
 *
 * @param pointsMax points of histograms of HTTP servers that a message may have
 * @throws ReadRefusal if the bytes are no such message, or have more
 */
export function readHistograms(
  bytes: Uint8Array,
  pointsMax: number,
  take: (point: HistogramPoint) => void,
): Map<string, number> {
  const reader = new HistogramReader(bytes, pointsMax);
  reader.read();
  const current = new Set(reader.points.flatMap((each) => (each.name === currentName ? each.process : [])));
  for (const { name, process, point, kind } of reader.points) {
    if (name !== currentName && current.has(process)) reader.drop(kind);
    else take(point);
  }
  return reader.dropped;
}

interface ReadPoint {
  readonly name: string;
  /** Names the resource. */
  readonly process: string;
  readonly kind: string;
  readonly point: HistogramPoint;
}

class HistogramReader {
  readonly #wire: WireReader;
  readonly #pointsMax: number;
  readonly #attributes: KnownAttributes;
  readonly #pointReader: PointReader;
  #resource = { start: -1, name: "" };
  #scope = { start: -1, name: "" };
  readonly dropped = new Map<string, number>();
  readonly points: ReadPoint[] = [];

  constructor(bytes: Uint8Array, pointsMax: number) {
    this.#wire = new WireReader(bytes);
    this.#pointsMax = pointsMax;
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

  /** A name of the resource, from its attributes in any order. */
  #resourceOf({ resource: [start, end] }: Origin): string {
    if (this.#resource.start === start) return this.#resource.name;
    const digests: string[] = [];
    this.#visit([start, end], (note) =>
      eachMessage(this.#wire, end, 1, "resource", (stop) =>
        eachMessage(this.#wire, stop, 1, "resource.attributes", (attributeEnd) =>
          note(digests, attributeEnd),
        ),
      ),
    );
    this.#resource = { start, name: shortHash(digests.sort()) };
    return this.#resource.name;
  }

  #scopeOf({ scope: [start, end] }: Origin): string {
    if (this.#scope.start === start) return this.#scope.name;
    const digests: string[] = [];
    this.#visit([start, end], (note) =>
      eachMessage(this.#wire, end, 1, "scope", (stop) => note(digests, stop)),
    );
    this.#scope = { start, name: shortHash(digests.sort()) };
    return this.#scope.name;
  }

  /** Reads a range, and continues where it was. `note` adds the digest of the bytes up to an offset. */
  #visit([start]: Range, read: (note: (digests: string[], end: number) => void) => void): void {
    const wire = this.#wire;
    const after = wire.pos;
    wire.pos = start;
    read((digests, end) => {
      checkAttributes(digests.length, wire.pos);
      digests.push(hash("sha256", wire.bytes.subarray(wire.pos, end), "base64"));
    });
    wire.pos = after;
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
        if (isHttp) this.#readPoint(pointEnd, { ...metric, kind, temporality });
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

  #readPoint(end: number, metric: Metric & { readonly kind: string; readonly temporality: number }): void {
    const { name, unit, origin, kind, temporality } = metric;
    if (this.points.length >= this.#pointsMax) throw this.#tooMany();
    const form = kind === kinds.get(exponentialField) ? "exponential" : "explicit";
    const { start, attributes, missing, ...point } = this.#pointReader.read(end, form);
    const { method, path, status } = requestOf(this.#attributes);
    if (method === "" || status === "" || missing !== undefined) {
      this.drop(method === "" ? "histogram_not_http" : `histogram_without_${missing ?? "status"}`);
      return;
    }
    const layout = form === "explicit" ? point.distribution.layout : "";
    const unitSeconds = unit === "" ? histograms.get(name) : units.get(unit);
    const fault = point.fault ?? metricFault(temporality, unit, unitSeconds);
    const process = this.#resourceOf(origin);
    this.points.push({
      name,
      process,
      kind,
      point: {
        ...point,
        service: origin.service,
        method,
        path: path || noRoute,
        statusCode: Number(status),
        stream: shortHash([process, this.#scopeOf(origin), name, start]),
        series: shortHash([attributes, layout]),
        isCumulative: temporality === cumulative,
        unitSeconds: unitSeconds ?? 1,
        ...(fault && { fault }),
      },
    });
  }

  #tooMany(): ReadRefusal {
    const message = `The request has more than ${this.#pointsMax} data points of HTTP histograms. Send smaller batches.`;
    return new ReadRefusal("too_large", message, "data_points", this.#wire.pos);
  }
}

function metricFault(temporality: number, unit: string, unitSeconds: number | undefined): string | undefined {
  if (unitSeconds === undefined) return `has the unit ${JSON.stringify(unit)}: send durations in s or ms`;
  if (temporality === delta || temporality === cumulative) return undefined;
  return "has no temporality: set its aggregation_temporality to delta or cumulative";
}

/** Senders choose the texts, and must not be able to make two series one. */
function shortHash(parts: readonly unknown[]): string {
  return hash("sha256", JSON.stringify(parts), "base64").slice(0, 22);
}

import { BinaryWriter, WireType } from "@bufbuild/protobuf/wire";

export interface SentHistogram {
  readonly service?: string;
  /** A name of the process: another attribute of the resource. */
  readonly instance?: string;
  readonly name?: string;
  readonly unit?: string;
  readonly isDelta?: boolean;
  /** In place of that of `isDelta`. */
  readonly temporality?: number;
  readonly flags?: number;
  readonly attributes?: Readonly<Record<string, string | number>>;
  readonly startMs?: number;
  readonly timeMs: number;
  readonly counts: readonly number[];
  /** Explicit bounds; or the scale, the first bucket and the zeros of exponential buckets. */
  readonly buckets?:
    | readonly number[]
    | { readonly scale: number; readonly offset: number; readonly zeros: number };
  readonly min?: number;
  readonly max?: number;
}

export const getOrder = {
  "http.request.method": "GET",
  "http.route": "/orders/{id}",
  "http.response.status_code": 200,
};
const seconds = [0.1, 0.5];

/** An `ExportMetricsServiceRequest` in protobuf: a resource for each histogram. */
export function metricsOf(histograms: readonly SentHistogram[]): Buffer<ArrayBuffer> {
  const writer = new BinaryWriter();
  for (const histogram of histograms) {
    const {
      service = "checkout",
      instance = "1",
      name = "http.server.request.duration",
      unit = "",
    } = histogram;
    const resource = open(writer, 1);
    const scope = open(resource, 2);
    const metric = open(scope, 2);
    const { isDelta = false, temporality = isDelta ? 1 : 2, buckets = seconds } = histogram;
    const data = open(metric, Array.isArray(buckets) ? 9 : 10);
    writePoint(open(data, 1), histogram).join();
    data.tag(2, WireType.Varint).int32(temporality).join();
    metric.tag(1, WireType.LengthDelimited).string(name);
    metric.tag(3, WireType.LengthDelimited).string(unit).join();
    open(scope, 1).tag(1, WireType.LengthDelimited).string("scope").join();
    scope.join();
    const own = { "service.name": service, "service.instance.id": instance };
    writeAttributes(open(resource, 1), 1, own).join();
    resource.join();
  }
  return Buffer.from(writer.finish());
}

/** The same request in JSON. */
export function jsonMetricsOf(histograms: readonly SentHistogram[]): Buffer<ArrayBuffer> {
  const resourceMetrics = histograms.map((histogram) => {
    const { service = "checkout", instance = "1", name = "http.server.request.duration", unit } = histogram;
    const { isDelta = false, buckets = seconds, timeMs, startMs = 0, counts, min, max } = histogram;
    const point = {
      attributes: jsonAttributes(histogram.attributes ?? getOrder),
      startTimeUnixNano: nanoseconds(startMs),
      timeUnixNano: nanoseconds(timeMs),
      min,
      max,
      flags: histogram.flags,
    };
    const { temporality = isDelta ? 1 : "AGGREGATION_TEMPORALITY_CUMULATIVE" } = histogram;
    const data = (dataPoint: object) => ({ aggregationTemporality: temporality, dataPoints: [dataPoint] });
    const bucketCounts = counts.map(String);
    const metric =
      "scale" in buckets
        ? {
            exponentialHistogram: data({
              ...point,
              scale: buckets.scale,
              zeroCount: String(buckets.zeros),
              positive: { offset: buckets.offset, bucketCounts },
            }),
          }
        : { histogram: data({ ...point, explicitBounds: buckets, bucketCounts }) };
    const own = { "service.name": service, "service.instance.id": instance };
    return {
      resource: { attributes: jsonAttributes(own) },
      scopeMetrics: [{ scope: { name: "scope" }, metrics: [{ name, unit, ...metric }] }],
    };
  });
  return Buffer.from(JSON.stringify({ resourceMetrics }));
}

function jsonAttributes(attributes: Readonly<Record<string, string | number>>) {
  return Object.entries(attributes).map(([key, value]) => ({
    key,
    value: typeof value === "string" ? { stringValue: value } : { intValue: String(value) },
  }));
}

function nanoseconds(ms: number): string {
  return String(BigInt(ms) * 1_000_000n);
}

function open(writer: BinaryWriter, field: number): BinaryWriter {
  return writer.tag(field, WireType.LengthDelimited).fork();
}

function writePoint(writer: BinaryWriter, histogram: SentHistogram): BinaryWriter {
  const { startMs = 0, timeMs, counts, buckets = seconds, min, max, attributes = getOrder } = histogram;
  const isExponential = "scale" in buckets;
  writer.tag(2, WireType.Bit64).fixed64(BigInt(startMs) * 1_000_000n);
  writer.tag(3, WireType.Bit64).fixed64(BigInt(timeMs) * 1_000_000n);
  if (isExponential) {
    writer.tag(6, WireType.Varint).sint32(buckets.scale).tag(7, WireType.Bit64).fixed64(buckets.zeros);
    const positive = open(writer, 8).tag(1, WireType.Varint).sint32(buckets.offset);
    const packed = open(positive, 2);
    for (const count of counts) packed.uint64(count);
    packed.join();
    positive.join();
  } else {
    const packed = open(writer, 6);
    for (const count of counts) packed.fixed64(count);
    packed.join();
    // Lists that are not packed are as valid.
    for (const bound of buckets) writer.tag(7, WireType.Bit64).double(bound);
  }
  if (histogram.flags !== undefined) writer.tag(10, WireType.Varint).uint32(histogram.flags);
  const shift = isExponential ? 1 : 0;
  if (min !== undefined) writer.tag(11 + shift, WireType.Bit64).double(min);
  if (max !== undefined) writer.tag(12 + shift, WireType.Bit64).double(max);
  return writeAttributes(writer, isExponential ? 1 : 9, attributes);
}

function writeAttributes(
  writer: BinaryWriter,
  field: number,
  attributes: Readonly<Record<string, string | number>>,
): BinaryWriter {
  for (const [key, value] of Object.entries(attributes)) {
    const attribute = open(writer, field).tag(1, WireType.LengthDelimited).string(key);
    const any = open(attribute, 2);
    if (typeof value === "string") any.tag(1, WireType.LengthDelimited).string(value);
    else any.tag(3, WireType.Varint).int64(value);
    any.join();
    attribute.join();
  }
  return writer;
}

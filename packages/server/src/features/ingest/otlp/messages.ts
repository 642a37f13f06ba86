import type { OtlpField, OtlpMessage } from "@flamekeep/profile";

/** The fields of `ExportTraceServiceRequest` that are read (opentelemetry-proto 1.x), for requests in JSON. */
export const traceRequest: OtlpMessage = [
  list(1, "resource_spans", () => [
    message(1, "resource", () => [attributes(1)]),
    list(2, "scope_spans", () => [list(2, "spans", () => span)]),
  ]),
];

/** The fields of `ExportMetricsServiceRequest` that are read: histograms, and the number of other data points. */
export const metricsRequest: OtlpMessage = [
  list(1, "resource_metrics", () => [
    message(1, "resource", () => [attributes(1)]),
    list(2, "scope_metrics", () => [
      message(1, "scope", () => [one(1, "name", "string"), one(2, "version", "string"), attributes(3)]),
      list(2, "metrics", () => [
        one(1, "name", "string"),
        one(3, "unit", "string"),
        points(5, "gauge", []),
        points(7, "sum", []),
        points(9, "histogram", histogramPoint),
        points(10, "exponential_histogram", exponentialPoint),
        points(11, "summary", []),
      ]),
    ]),
  ]),
];

const span: OtlpMessage = [
  one(1, "trace_id", "hex"),
  { number: 6, name: "kind", scalar: "varint", isRepeated: false, names: { SPAN_KIND_SERVER: 2 } },
  one(7, "start_time_unix_nano", "fixed64"),
  one(8, "end_time_unix_nano", "fixed64"),
  attributes(9),
];

const temporalities = { AGGREGATION_TEMPORALITY_DELTA: 1, AGGREGATION_TEMPORALITY_CUMULATIVE: 2 };
const pointTimes = [one(2, "start_time_unix_nano", "fixed64"), one(3, "time_unix_nano", "fixed64")];

const histogramPoint: OtlpMessage = [
  ...pointTimes,
  { ...one(6, "bucket_counts", "fixed64"), isRepeated: true },
  { ...one(7, "explicit_bounds", "double"), isRepeated: true },
  attributes(9),
  one(11, "min", "double"),
  one(12, "max", "double"),
];

const exponentialPoint: OtlpMessage = [
  attributes(1),
  ...pointTimes,
  one(6, "scale", "sint32"),
  one(7, "zero_count", "fixed64"),
  message(8, "positive", () => [
    one(1, "offset", "sint32"),
    { ...one(2, "bucket_counts", "varint"), isRepeated: true },
  ]),
  one(12, "min", "double"),
  one(13, "max", "double"),
];

const keyValue: OtlpMessage = [
  one(1, "key", "string"),
  message(2, "value", () => [
    one(1, "string_value", "string"),
    one(2, "bool_value", "bool"),
    one(3, "int_value", "varint"),
    one(4, "double_value", "double"),
  ]),
];

function attributes(number: number): OtlpField {
  return list(number, "attributes", () => keyValue);
}

function points(number: number, name: string, point: OtlpMessage): OtlpField {
  return message(number, name, () => [
    list(1, "data_points", () => point),
    one(2, "aggregation_temporality", "varint", temporalities),
  ]);
}

function one(
  number: number,
  name: string,
  scalar: OtlpField["scalar"],
  names?: OtlpField["names"],
): OtlpField {
  return { number, name, isRepeated: false, ...(scalar && { scalar }), ...(names && { names }) };
}

function message(number: number, name: string, of: () => OtlpMessage): OtlpField {
  return { number, name, isRepeated: false, message: of };
}

function list(number: number, name: string, of: () => OtlpMessage): OtlpField {
  return { ...message(number, name, of), isRepeated: true };
}

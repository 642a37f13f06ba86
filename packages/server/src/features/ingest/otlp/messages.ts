import type { OtlpField, OtlpMessage } from "@flamekeep/profile";

/** The fields of `ExportTraceServiceRequest` that are read (opentelemetry-proto 1.x), for requests in JSON. */
export const traceRequest: OtlpMessage = [
  list(1, "resource_spans", () => [
    message(1, "resource", () => [attributes(1)]),
    list(2, "scope_spans", () => [list(2, "spans", () => span)]),
  ]),
];

/** The fields of `ExportMetricsServiceRequest` that are read: those that lead to data points. */
export const metricsRequest: OtlpMessage = [
  list(1, "resource_metrics", () => [
    list(2, "scope_metrics", () => [
      list(2, "metrics", () => [
        points(5, "gauge"),
        points(7, "sum"),
        points(9, "histogram"),
        points(10, "exponential_histogram"),
        points(11, "summary"),
      ]),
    ]),
  ]),
];

const span: OtlpMessage = [
  { number: 1, name: "trace_id", scalar: "hex", isRepeated: false },
  { number: 6, name: "kind", scalar: "varint", isRepeated: false, names: { SPAN_KIND_SERVER: 2 } },
  { number: 7, name: "start_time_unix_nano", scalar: "fixed64", isRepeated: false },
  { number: 8, name: "end_time_unix_nano", scalar: "fixed64", isRepeated: false },
  attributes(9),
];

const keyValue: OtlpMessage = [
  { number: 1, name: "key", scalar: "string", isRepeated: false },
  message(2, "value", () => [
    { number: 1, name: "string_value", scalar: "string", isRepeated: false },
    { number: 3, name: "int_value", scalar: "varint", isRepeated: false },
  ]),
];

function attributes(number: number): OtlpField {
  return list(number, "attributes", () => keyValue);
}

function points(number: number, name: string): OtlpField {
  return message(number, name, () => [list(1, "data_points", () => [])]);
}

function message(number: number, name: string, of: () => OtlpMessage): OtlpField {
  return { number, name, isRepeated: false, message: of };
}

function list(number: number, name: string, of: () => OtlpMessage): OtlpField {
  return { ...message(number, name, of), isRepeated: true };
}

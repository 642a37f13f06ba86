import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { ConnectError } from "#ingest/push.ts";
import * as calls from "./calls.ts";
import { jsonName, type MessageFields, type MessageName, messageEnums, messages } from "./messages.ts";

/** Examples of fields, by name; other fields have the usual one of their type. */
const examples: Readonly<Record<string, unknown>> = {
  profile_typeID: "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
  ID: "process_cpu:cpu:nanoseconds:cpu:nanoseconds",
  label_selector: '{service_name="checkout"}',
  query: '{service_name="checkout"}',
  matchers: '{service_name="checkout"}',
  label_names: "service_name",
  group_by: "region",
  name: "service_name",
  value: "checkout",
  names: "service_name",
  start: "1795168800000",
  end: "1795172400000",
  step: 60,
  tree: "AAA=",
};

const byType: Readonly<Record<string, readonly [schema: () => z.ZodType, example: unknown]>> = {
  string: [() => z.string(), "checkout"],
  bytes: [() => z.string(), "AAA="],
  bool: [() => z.boolean(), true],
  int32: [() => z.int(), 1],
  uint32: [() => z.int().min(0), 5],
  double: [() => z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]), 1.5],
  int64: [() => z.union([z.string(), z.int()]), "1"],
  uint64: [() => z.union([z.string(), z.int()]), "1"],
};

const schemas = new Map<string, z.ZodType>();

/** A message in protobuf's JSON: fields with their default may be left out, 64-bit integers are texts. */
function messageSchema(name: MessageName): z.ZodType {
  const existing = schemas.get(name);
  if (existing !== undefined) return existing;
  const fields = Object.entries(messages[name] as MessageFields).map(([field, [, type]]) => {
    const isList = typeof type !== "string";
    const named = (isList ? type[0] : type).replace("?", "");
    const one = valueSchema(named, field);
    return [jsonName(field), (isList ? z.array(one) : one).optional()] as const;
  });
  const schema = z.object(Object.fromEntries(fields)).meta({ id: `Pyroscope${name}` });
  schemas.set(name, schema);
  return schema;
}

function valueSchema(type: string, field: string): z.ZodType {
  if (type in messages) return messageSchema(type as MessageName);
  if (type in messageEnums) {
    const values = messageEnums[type as keyof typeof messageEnums];
    return z.union([z.enum(values), z.int()]).meta({ example: values[0] });
  }
  const [schema, usual] = byType[type]!;
  const example = examples[field];
  const isOfType = type.endsWith("int64") ? /^\d+$/.test(String(example)) : typeof example === typeof usual;
  return schema().meta({ example: isOfType ? example : usual });
}

const endpoint = endpointIn("Readers");
const failures = ["invalid", "unprocessable", "rate_limited", "unimplemented"] as const;
const connectFailures = ["invalid", "unsupported", "rate_limited", "unimplemented"] as const;

/** Pyroscope answers with the sample types as they are: gauges are means over the profiles, as everywhere in this API. */
const amounts =
  "Ranges are widened to whole minutes; memory in use, goroutines and custom counts are means over the profiles of each service.";

type ConnectCall = (typeof calls)[Exclude<
  keyof typeof calls,
  "renderProfiles" | "renderDiff" | "renderLabelValues" | "serviceMetrics"
>];

function connectCall<C extends ConnectCall>(
  call: C,
  summary: string,
  [request, reply]: readonly [MessageName, MessageName],
  description = "",
) {
  return endpoint(call, {
    summary,
    description:
      `A unary call of Connect (https://connectrpc.com), as JSON or protobuf; the same call by gRPC and gRPC-Web at \`GRPC_PORT\`. ${description}`.trim(),
    upload: {
      description: `\`${request}\`, gzipped, zstd or plain.`,
      contentTypes: ["application/proto", "application/json"],
      schema: messageSchema(request),
    },
    reply: messageSchema(reply),
    downloads: [
      { contentType: "application/proto", description: `\`${reply}\`.` },
      { contentType: "application/grpc", description: "This port rejects gRPC; use `GRPC_PORT`." },
    ],
    failures: connectFailures,
    failureReply: ConnectError,
    isOpenToDemo: true,
  });
}

const Moment = z.string().max(40).default("now").meta({
  description: "Unix seconds, milliseconds or nanoseconds, `now`, or a time before now: `now-1h`.",
  example: "now-1h",
});
const Query = z.string().max(10_000).meta({
  description: "A profile type and a label selector.",
  example: 'process_cpu:cpu:nanoseconds:cpu:nanoseconds{service_name="checkout"}',
});
const nodes = z.string().max(10).optional().meta({ description: "The widest frames.", example: "1024" });

const Timeline = z
  .object({
    startTime: z.int().meta({ example: 1_795_168_800 }),
    samples: z.array(z.number()).meta({ example: [1, 2] }),
    durationDelta: z.int().meta({ example: 15 }),
    watermarks: z.null().meta({ example: null }),
  })
  .meta({ id: "PyroscopeTimeline" });

const Flamebearer = z
  .object({
    version: z.literal(1),
    flamebearer: z.object({
      names: z.array(z.string()).meta({ example: ["total", "main.main"] }),
      levels: z.array(z.array(z.number())).meta({ example: [[0, 10, 0, 0]] }),
      numTicks: z.number().meta({ example: 10 }),
      maxSelf: z.number().meta({ example: 10 }),
    }),
    metadata: z.object({
      format: z.enum(["single", "double"]),
      spyName: z.string().meta({ example: "" }),
      sampleRate: z.int().meta({ example: 1_000_000_000 }),
      units: z.string().meta({ example: "samples" }),
      name: z.string().meta({ example: "cpu" }),
    }),
    timeline: Timeline.nullable(),
    groups: z.record(z.string(), Timeline).nullable().meta({ example: null }),
    heatmap: z.null().meta({ example: null }),
    leftTicks: z.number().optional().meta({ example: 5 }),
    rightTicks: z.number().optional().meta({ example: 5 }),
  })
  .meta({ id: "Flamebearer" });
export type Flamebearer = z.output<typeof Flamebearer>;

export const readerEndpoints = [
  connectCall(calls.queryProfileTypes, "The types of profiles, as in Pyroscope", [
    "ProfileTypesRequest",
    "ProfileTypesResponse",
  ]),
  connectCall(calls.queryLabelNames, "Names of labels, as in Pyroscope", [
    "LabelNamesRequest",
    "LabelNamesResponse",
  ]),
  connectCall(calls.queryLabelValues, "Values of a label, as in Pyroscope", [
    "LabelValuesRequest",
    "LabelValuesResponse",
  ]),
  connectCall(calls.querySeries, "Sets of labels, as in Pyroscope", ["SeriesRequest", "SeriesResponse"]),
  connectCall(
    calls.selectMergeStacktraces,
    "Merged stacks of a range, as in Pyroscope",
    ["SelectMergeStacktracesRequest", "SelectMergeStacktracesResponse"],
    amounts,
  ),
  connectCall(
    calls.selectMergeSpanProfile,
    "Merged stacks of spans, as in Pyroscope",
    ["SelectMergeSpanProfileRequest", "SelectMergeSpanProfileResponse"],
    amounts,
  ),
  connectCall(
    calls.selectMergeProfile,
    "Merged stacks of a range as pprof, as in Pyroscope",
    ["SelectMergeProfileRequest", "Profile"],
    amounts,
  ),
  connectCall(
    calls.selectSeries,
    "Values over time, as in Pyroscope",
    ["SelectSeriesRequest", "SelectSeriesResponse"],
    "A point has the profiles that began after the point before it. Ranges are exact to the millisecond.",
  ),
  connectCall(calls.selectHeatmap, "Values of single profiles over time, as in Pyroscope", [
    "SelectHeatmapRequest",
    "SelectHeatmapResponse",
  ]),
  connectCall(
    calls.queryDiff,
    "Two ranges compared, as in Pyroscope",
    ["DiffRequest", "DiffResponse"],
    amounts,
  ),
  connectCall(calls.queryProfileStats, "Whether there are profiles, as in Pyroscope", [
    "Empty",
    "GetProfileStatsResponse",
  ]),
  connectCall(calls.analyzeQuery, "What a query reads, as in Pyroscope", [
    "AnalyzeQueryRequest",
    "AnalyzeQueryResponse",
  ]),
  connectCall(
    calls.readSettings,
    "Settings of Pyroscope's pages: none",
    ["Empty", "GetSettingsResponse"],
    "Pages keep their own defaults; nothing is stored.",
  ),
  endpoint(calls.serviceMetrics, {
    summary: "Figures of profiles for Prometheus",
    description: `CPU cores, memory in use, goroutines and waits for locks of the last five minutes, by service, type and version, in Prometheus' text format. At most ${limits.serviceMetricSeriesMax} series, those with the most profiles.`,
    reply: z.undefined(),
    downloads: [{ contentType: "text/plain", description: "Gauges with help and type." }],
    failures: ["rate_limited"],
    isOpenToDemo: true,
  }),
  endpoint(calls.renderProfiles, {
    summary: "A flame graph and its timeline, as in Pyroscope",
    description: amounts,
    query: z.object({
      query: Query,
      from: Moment,
      until: Moment,
      format: z.enum(["json", "dot"]).default("json").meta({ example: "json" }),
      groupBy: z.string().max(200).optional().meta({ description: "One label.", example: "region" }),
      aggregation: z.string().max(20).optional().meta({ description: "`sum` or `avg`.", example: "sum" }),
      maxNodes: nodes,
      "max-nodes": nodes,
    }),
    reply: Flamebearer,
    downloads: [{ contentType: "text/plain", description: "A graph in the language of Graphviz." }],
    failures,
    isOpenToDemo: true,
  }),
  endpoint(calls.renderDiff, {
    summary: "Two flame graphs compared, as in Pyroscope",
    description: amounts,
    query: z.object({
      leftQuery: Query,
      leftFrom: Moment,
      leftUntil: Moment,
      rightQuery: Query,
      rightFrom: Moment,
      rightUntil: Moment,
      maxNodes: nodes,
      "max-nodes": nodes,
    }),
    reply: Flamebearer,
    failures,
    isOpenToDemo: true,
  }),
  endpoint(calls.renderLabelValues, {
    summary: "Values of a label, as in earlier versions of Pyroscope",
    query: z.object({
      label: z
        .string()
        .max(200)
        .meta({ description: "`__name__` for profile types.", example: "service_name" }),
      query: z.string().max(10_000).optional().meta({ example: '{service_name="checkout"}' }),
      from: Moment.default("now-7d"),
      until: Moment,
    }),
    reply: z.array(z.string()).meta({ example: ["checkout"] }),
    failures,
    isOpenToDemo: true,
  }),
] as const;

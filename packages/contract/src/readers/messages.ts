/**
 * The messages of Pyroscope's query API: for each field its number and its type. Documentation, requests and replies follow from them.
 * A type in brackets is a list; a question mark follows a type that can be absent.
 */
type Scalar = "string" | "bytes" | "bool" | "int32" | "int64" | "uint32" | "uint64" | "double";
type EnumName = keyof typeof messageEnums;

export const messageEnums = {
  ProfileFormat: [
    "PROFILE_FORMAT_UNSPECIFIED",
    "PROFILE_FORMAT_FLAMEGRAPH",
    "PROFILE_FORMAT_TREE",
    "PROFILE_FORMAT_DOT",
    "PROFILE_FORMAT_PPROF",
  ],
  AggregationType: ["TIME_SERIES_AGGREGATION_TYPE_SUM", "TIME_SERIES_AGGREGATION_TYPE_AVERAGE"],
  ExemplarType: [
    "EXEMPLAR_TYPE_UNSPECIFIED",
    "EXEMPLAR_TYPE_NONE",
    "EXEMPLAR_TYPE_INDIVIDUAL",
    "EXEMPLAR_TYPE_SPAN",
  ],
  HeatmapQueryType: [
    "HEATMAP_QUERY_TYPE_UNSPECIFIED",
    "HEATMAP_QUERY_TYPE_INDIVIDUAL",
    "HEATMAP_QUERY_TYPE_SPAN",
  ],
} as const;

const range = (first: number) => ({ start: [first, "int64"], end: [first + 1, "int64"] }) as const;
const selection = {
  profile_typeID: [1, "string"],
  label_selector: [2, "string"],
} as const;

export const messages = {
  Empty: {},
  LabelPair: { name: [1, "string"], value: [2, "string"] },
  Labels: { labels: [1, ["LabelPair"]] },
  ProfileType: {
    ID: [1, "string"],
    name: [2, "string"],
    sample_type: [4, "string"],
    sample_unit: [5, "string"],
    period_type: [6, "string"],
    period_unit: [7, "string"],
  },
  ProfileTypesRequest: range(1),
  ProfileTypesResponse: { profile_types: [1, ["ProfileType"]] },
  LabelNamesRequest: { matchers: [1, ["string"]], ...range(2) },
  LabelNamesResponse: { names: [1, ["string"]] },
  LabelValuesRequest: { name: [1, "string"], matchers: [2, ["string"]], ...range(3) },
  LabelValuesResponse: { names: [1, ["string"]] },
  SeriesRequest: { matchers: [1, ["string"]], label_names: [2, ["string"]], ...range(3) },
  SeriesResponse: { labels_set: [2, ["Labels"]] },
  Location: { name: [1, "string"] },
  GoPgo: { keep_locations: [1, "uint32"], aggregate_callees: [2, "bool"] },
  StackTraceSelector: { call_site: [1, ["Location"]], go_pgo: [2, "GoPgo"] },
  AsyncQueryRequest: { request_id: [1, "string"], type: [2, "int32"] },
  SelectMergeStacktracesRequest: {
    ...selection,
    ...range(3),
    max_nodes: [5, "int64?"],
    format: [6, "ProfileFormat"],
    stack_trace_selector: [7, "StackTraceSelector"],
    profile_id_selector: [8, ["string"]],
    async: [9, "AsyncQueryRequest"],
    trace_id_selector: [10, ["string"]],
    span_selector: [11, ["string"]],
  },
  Level: { values: [1, ["int64"]] },
  FlameGraph: { names: [1, ["string"]], levels: [2, ["Level"]], total: [3, "int64"], max_self: [4, "int64"] },
  FlameGraphDiff: {
    names: [1, ["string"]],
    levels: [2, ["Level"]],
    total: [3, "int64"],
    max_self: [4, "int64"],
    leftTicks: [5, "int64"],
    rightTicks: [6, "int64"],
  },
  PprofProfile: { profile: [1, "Profile"] },
  SelectMergeStacktracesResponse: {
    flamegraph: [1, "FlameGraph"],
    tree: [2, "bytes"],
    dot: [3, "string"],
    pprof: [5, "PprofProfile"],
  },
  SelectMergeSpanProfileRequest: {
    ...selection,
    span_selector: [3, ["string"]],
    ...range(4),
    max_nodes: [6, "int64?"],
    format: [7, "ProfileFormat"],
  },
  SelectMergeSpanProfileResponse: { flamegraph: [1, "FlameGraph"], tree: [2, "bytes"] },
  DiffRequest: { left: [1, "SelectMergeStacktracesRequest"], right: [2, "SelectMergeStacktracesRequest"] },
  DiffResponse: { flamegraph: [1, "FlameGraphDiff"] },
  SelectMergeProfileRequest: {
    ...selection,
    ...range(3),
    max_nodes: [5, "int64?"],
    stack_trace_selector: [6, "StackTraceSelector"],
    profile_id_selector: [7, ["string"]],
    trace_id_selector: [8, ["string"]],
  },
  SelectSeriesRequest: {
    ...selection,
    ...range(3),
    group_by: [5, ["string"]],
    step: [6, "double"],
    aggregation: [7, "AggregationType?"],
    stack_trace_selector: [8, "StackTraceSelector"],
    limit: [9, "int64?"],
    exemplar_type: [10, "ExemplarType"],
  },
  Point: { value: [1, "double"], timestamp: [2, "int64"] },
  TimeSeries: { labels: [1, ["LabelPair"]], points: [2, ["Point"]] },
  SelectSeriesResponse: { series: [1, ["TimeSeries"]] },
  SelectHeatmapRequest: {
    ...selection,
    ...range(3),
    step: [5, "double"],
    group_by: [6, ["string"]],
    query_type: [7, "HeatmapQueryType"],
    exemplar_type: [8, "ExemplarType"],
    limit: [9, "int64?"],
  },
  Exemplar: {
    timestamp: [1, "int64"],
    profile_id: [2, "string"],
    span_id: [3, "string"],
    value: [4, "int64"],
    labels: [5, ["LabelPair"]],
  },
  HeatmapSlot: {
    timestamp: [1, "int64"],
    y_min: [2, ["double"]],
    counts: [3, ["int32"]],
    exemplars: [4, ["Exemplar"]],
  },
  HeatmapSeries: { labels: [1, ["LabelPair"]], slots: [2, ["HeatmapSlot"]] },
  SelectHeatmapResponse: { series: [1, ["HeatmapSeries"]] },
  GetProfileStatsResponse: {
    data_ingested: [1, "bool"],
    oldest_profile_time: [2, "int64"],
    newest_profile_time: [3, "int64"],
  },
  AnalyzeQueryRequest: { ...range(2), query: [4, "string"] },
  QueryScope: {
    component_type: [1, "string"],
    component_count: [2, "uint64"],
    block_count: [3, "uint64"],
    series_count: [4, "uint64"],
    profile_count: [5, "uint64"],
    sample_count: [6, "uint64"],
    index_bytes: [7, "uint64"],
    profile_bytes: [8, "uint64"],
    symbol_bytes: [9, "uint64"],
  },
  QueryImpact: {
    total_bytes_in_time_range: [2, "uint64"],
    total_queried_series: [3, "uint64"],
    deduplication_needed: [4, "bool"],
  },
  AnalyzeQueryResponse: { query_scopes: [1, ["QueryScope"]], query_impact: [2, "QueryImpact"] },
  Setting: { name: [1, "string"], value: [2, "string"], modifiedAt: [3, "int64"] },
  GetSettingsResponse: { settings: [1, ["Setting"]] },
  ValueType: { type: [1, "int64"], unit: [2, "int64"] },
  SampleLabel: { key: [1, "int64"], str: [2, "int64"], num: [3, "int64"], num_unit: [4, "int64"] },
  Sample: { location_id: [1, ["uint64"]], value: [2, ["int64"]], label: [3, ["SampleLabel"]] },
  Mapping: {
    id: [1, "uint64"],
    memory_start: [2, "uint64"],
    memory_limit: [3, "uint64"],
    file_offset: [4, "uint64"],
    filename: [5, "int64"],
    build_id: [6, "int64"],
    has_functions: [7, "bool"],
    has_filenames: [8, "bool"],
    has_line_numbers: [9, "bool"],
    has_inline_frames: [10, "bool"],
  },
  Line: { function_id: [1, "uint64"], line: [2, "int64"] },
  CodeLocation: {
    id: [1, "uint64"],
    mapping_id: [2, "uint64"],
    address: [3, "uint64"],
    line: [4, ["Line"]],
    is_folded: [5, "bool"],
  },
  Function: {
    id: [1, "uint64"],
    name: [2, "int64"],
    system_name: [3, "int64"],
    filename: [4, "int64"],
    start_line: [5, "int64"],
  },
  Profile: {
    sample_type: [1, ["ValueType"]],
    sample: [2, ["Sample"]],
    mapping: [3, ["Mapping"]],
    location: [4, ["CodeLocation"]],
    function: [5, ["Function"]],
    string_table: [6, ["string"]],
    drop_frames: [7, "int64"],
    keep_frames: [8, "int64"],
    time_nanos: [9, "int64"],
    duration_nanos: [10, "int64"],
    period_type: [11, "ValueType"],
    period: [12, "int64"],
    comment: [13, ["int64"]],
    default_sample_type: [14, "int64"],
  },
} as const satisfies Readonly<Record<string, MessageFields>>;

/** A name that is none of a scalar or an enum is one of a message. */
type FieldType = Scalar | `${Scalar}?` | EnumName | `${EnumName}?` | (string & {});
export type MessageFields = Readonly<
  Record<string, readonly [number: number, type: FieldType | readonly [FieldType]]>
>;
export type MessageName = keyof typeof messages;

/** The name of a field in JSON, as protobuf derives it: `label_selector` is `labelSelector`. */
export function jsonName(field: string): string {
  return field.replace(/_+(\w)/g, (_, letter: string) => letter.toUpperCase());
}

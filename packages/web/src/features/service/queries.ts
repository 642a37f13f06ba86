import type { FrameGrouping } from "@flamekeep/contract";
import {
  flameGraphContentType,
  type GraphType,
  limits,
  listServiceProfiles,
  mergedFlameGraph,
} from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import { type QueryFunctionContext, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { readGraphColumns } from "#api/graph-columns.ts";
import { tagQuery, whileOfSameSubject } from "#profile-series/series-query.ts";
import { type Labels, labelParams } from "#sample-labels/model.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

type Tags = Readonly<Record<string, string>>;

interface OfService {
  readonly service: string;
  readonly range: RangeQuery;
}

interface FlameTopic extends OfService {
  readonly type: GraphType;
  readonly sampleType: string | undefined;
  readonly grouping: FrameGrouping;
  readonly tags: Tags;
  readonly labels: Labels;
  /** The label whose values are the roots. */
  readonly byLabel: string | undefined;
}

export function mergedQuery(topic: FlameTopic) {
  const { service, range, type, sampleType, grouping, tags, labels, byLabel } = topic;
  const subject = ["merged-flame-graph", service, type, sampleType, grouping, labels, byLabel] as const;
  return queryOptions({
    queryKey: [...subject, { ...range, tags }],
    queryFn: (context) => readMergedGraph(topic, { context }),
    placeholderData: whileOfSameSubject(subject),
  });
}

/** The columns of a merged flame graph, with all of its frames. */
async function readMergedGraph(
  topic: FlameTopic,
  {
    context,
    hasStoredFrames = false,
  }: { readonly context?: QueryFunctionContext; readonly hasStoredFrames?: boolean },
) {
  const { service, range, type, sampleType, grouping, tags, labels, byLabel } = topic;
  const groups = { ...(grouping !== "function" && { group_by: grouping }), group_by_label: byLabel };
  const response = await callRaw(mergedFlameGraph, {
    params: { service, type },
    query: {
      ...range,
      sample_type: sampleType,
      max_nodes: limits.flameGraphNodesMax,
      ...groups,
      ...labelParams(labels),
      ...tagQuery(tags),
      ...(hasStoredFrames && { stored_frames: "true" }),
    },
    accept: flameGraphContentType,
    ...(context && { signal: context.signal }),
  });
  return readGraphColumns(response, context);
}

/** The graph by stored frame, over the time that is on screen. */
export function readStoredFrames(topic: FlameTopic, { merge }: FlameMeta): Promise<Uint8Array> {
  const range = merge === undefined ? topic.range : { from: merge.from, to: merge.to };
  return readMergedGraph({ ...topic, range }, { hasStoredFrames: true });
}

/** The newest batches of HTTP metrics. */
export function metricBatchesQuery({ service, range }: OfService, limit: number) {
  const subject = ["metric-batches", service, limit] as const;
  return callQuery(
    [...subject, range],
    listServiceProfiles,
    {
      params: { service },
      query: { ...range, type: "metrics", limit },
    },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

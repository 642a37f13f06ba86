import {
  type FrameGrouping,
  flameGraphContentType,
  type GraphType,
  limits,
  mergedFlameGraph,
} from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import { type QueryFunctionContext, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import { readGraphColumns } from "#api/graph-columns.ts";
import { type Labels, labelParams } from "#sample-labels/model.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { tagQuery, whileOfSameSubject } from "./series-query.ts";

/** The profiles and samples of a merged flame graph. */
export interface FlameTopic {
  readonly service: string;
  readonly range: RangeQuery;
  readonly type: GraphType;
  readonly sampleType: string | undefined;
  readonly grouping: FrameGrouping;
  readonly tags: Readonly<Record<string, string>>;
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

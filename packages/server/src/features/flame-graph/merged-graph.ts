import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { mergedFlameGraph } from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { taskFile } from "#decoding/pool.ts";
import { type GroupedColumns, groupedColumns } from "#decoding/ranges/grouped-columns.ts";
import {
  isAveraged,
  matchesTotal,
  type RangeContent,
  readRangeContent,
  stackColumns,
} from "#decoding/ranges/merge-range.ts";
import { type MergeRange, requestedRange } from "#decoding/ranges/requested-range.ts";
import { withDefinitions } from "#decoding/ranges/with-definitions.ts";
import { orUnprocessable } from "#flame-graph/reply/drawing-errors.ts";
import { cacheHeaders, partTag } from "#flame-graph/reply/entity-tag.ts";
import { type FlameGraphReply, formOf } from "#flame-graph/reply/form.ts";
import type { GraphCache } from "#flame-graph/reply/graph-cache.ts";
import { type GraphPart, graphPartOf } from "#flame-graph/reply/graph-part.ts";
import { hasLabels, labelsOf } from "#http/query/label-filter.ts";
import { isNamed } from "#http/reply/negotiation.ts";
import type * as tasks from "./tasks.ts";

const flameGraphTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

interface MergedInput {
  readonly params: z.output<(typeof mergedFlameGraph)["params"]>;
  readonly query: z.output<(typeof mergedFlameGraph)["query"]>;
  readonly headers: IncomingHttpHeaders;
}

/** The flame graph of the profiles of a range. */
export async function getMergedFlameGraph(
  ctx: Context,
  { orgId }: Pick<Actor, "orgId">,
  { params, query, headers }: MergedInput,
  cache: GraphCache,
): Promise<FlameGraphReply> {
  const removals = ctx.columns.removalVersion();
  const { range, sampleType } = requestedRange(ctx, orgId, { params, query });
  const groupBy = query.group_by_label;
  const form = formOf(headers);
  const part = graphPartOf(query, form);
  let content = await readRangeContent(ctx, range, sampleType);
  const tag = mergedTag(metaOf(range, content, groupBy), part);
  if (isNamed(tag, headers["if-none-match"])) return { bytes: undefined, form, headers: cacheHeaders(tag) };
  const found = cache.get(orgId, tag);
  if (found !== undefined) return { bytes: found, form, headers: cacheHeaders(tag) };
  let { columns, names } = await readColumns(ctx, range, content, groupBy);
  if (!matchesTotal(columns, content)) {
    content = await readRangeContent(ctx, range, sampleType);
    ({ columns, names } = await readColumns(ctx, range, content, groupBy));
  }
  const meta = metaOf(range, content, groupBy);
  const times = { fromMs: range.from.getTime(), toMs: range.to.getTime() };
  const bytes = await withDefinitions(ctx.columns, { orgId, ...times, columns }, (stored) =>
    orUnprocessable(
      part.root,
      ctx.decoders.run(flameGraphTasks, "drawMergedFlameGraph", {
        stored,
        meta,
        labelGroups: names,
        ...part,
      }),
    ),
  );
  const drawnTag = mergedTag(meta, part);
  cache.set(orgId, drawnTag, bytes, removals);
  return { bytes, form, headers: cacheHeaders(drawnTag) };
}

async function readColumns(
  ctx: Context,
  range: MergeRange,
  content: RangeContent,
  groupBy: string | undefined,
): Promise<GroupedColumns> {
  if (groupBy !== undefined) return groupedColumns(ctx, range, content, groupBy);
  return { columns: await stackColumns(ctx, range, content), names: [] };
}

type Meta = Omit<FlameMeta, "totalSamples">;

function mergedTag(meta: Meta, part: GraphPart): string {
  return `"${meta.profileHash}-${partTag(part)}"`;
}

function metaOf(range: MergeRange, content: RangeContent, groupBy: string | undefined): Meta {
  const merge = {
    service: range.service,
    type: range.type,
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    profilesMerged: content.profiles,
    aggregation: isAveraged(content.sampleType) ? ("mean" as const) : ("sum" as const),
    sampleTypes: content.sampleTypes,
    tags: Object.fromEntries(range.tagNames.map((name, index) => [name, range.tagValues[index]!])),
    ...(hasLabels(range.labels) && { labels: labelsOf(range.labels) }),
    ...(groupBy !== undefined && { groupByLabel: groupBy }),
  };
  // A profile that is added changes the count, so that the same hash means the same graph.
  const identity = [range.orgId, merge, content.sampleType, String(content.total)];
  return {
    profileId: `${range.service}/${range.type}`,
    durationMs: Number(content.durationNs) / 1e6,
    profileHash: hash("sha256", JSON.stringify(identity), "hex").slice(0, 32),
    merge,
  };
}

import { hash } from "node:crypto";
import { type InputOf, limits, type mergedFlameGraph } from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import type { Actor, Context } from "#context";
import { orUnprocessable } from "#flame-graph/reply/drawing-errors.ts";
import { cacheHeaders, partTag } from "#flame-graph/reply/entity-tag.ts";
import { type FlameGraphReply, formOf } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import { type GraphPart, graphPartOf } from "#flame-graph/reply/graph-part.ts";
import type { Caller } from "#http/endpoint/caller.ts";
import { hasLabels, labelsOf } from "#http/query/label-filter.ts";
import { isNamed } from "#http/reply/reply.ts";
import { taskFile } from "#stacks/pool.ts";
import { numberedGroupName } from "#stacks/ranges/label-groups.ts";
import { readLabelValues } from "#stacks/ranges/label-values.ts";
import { readLabelGroups } from "#stacks/ranges/labelled-range.ts";
import {
  columnPlanOf,
  emptyColumn,
  isAveraged,
  matchesTotal,
  plannedColumns,
  type RangeContent,
  readRangeContent,
  stackColumns,
} from "#stacks/ranges/merge-range.ts";
import { type MergeRange, requestedRange } from "#stacks/ranges/requested-range.ts";
import type { StackColumn } from "#stacks/ranges/stored-stacks.ts";
import { withDefinitions } from "#stacks/ranges/with-definitions.ts";
import type * as tasks from "./tasks.ts";

const flameGraphTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** The flame graph of the profiles of a range. */
export async function getMergedFlameGraph(
  ctx: GraphContext,
  { orgId }: Pick<Actor, "orgId">,
  input: InputOf<typeof mergedFlameGraph>,
  { headers }: Pick<Caller, "headers">,
): Promise<FlameGraphReply> {
  const removals = ctx.columns.removalVersion();
  const { range, sampleType } = requestedRange(ctx, orgId, input);
  const groupBy = input.group_by_label;
  const form = formOf(headers);
  const part = graphPartOf(input, form);
  let content = await readRangeContent(ctx, range, sampleType, "added");
  const tag = mergedTag(metaOf(range, content, groupBy), part);
  if (isNamed(tag, headers["if-none-match"])) return { bytes: undefined, form, headers: cacheHeaders(tag) };
  const found = ctx.graphCache.get(orgId, tag);
  if (found !== undefined) return { bytes: found, form, headers: cacheHeaders(tag) };
  let { columns, names } = await readColumns(ctx, range, content, groupBy);
  // A profile that was inserted in between is in one of the two alone, or twice. The last time, none waits.
  for (const waiting of ["added", "inserted"] as const) {
    if (matchesTotal(columns, content)) break;
    content = await readRangeContent(ctx, range, sampleType, waiting);
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
  ctx.graphCache.set(orgId, drawnTag, bytes, removals);
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
    tags: Object.fromEntries(range.tagNames.map((name, index) => [name, range.tagValues[index]![0]!])),
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

/** The columns of each group one after the other: the sample type, and the number of samples if there is such a column. */
interface GroupedColumns {
  readonly columns: readonly StackColumn[];
  /** Frames of the groups. */
  readonly names: readonly string[];
}

/** As `stackColumns`, by the values of a label. */
async function groupedColumns(
  ctx: Context,
  range: MergeRange,
  content: RangeContent,
  groupBy: string,
): Promise<GroupedColumns> {
  const { sampleType, profiles } = content;
  const none = { columns: [emptyColumn(sampleType)], names: [] };
  if (profiles === 0) return none;
  const keys = await readLabelValues(ctx.columns, { ...range, sampleType });
  const values = keys.find(({ key }) => key === groupBy)?.values ?? [];
  const groups = values.slice(0, limits.labelGroupsMax).map(({ value }) => value);
  const plan = columnPlanOf(content);
  const totals = { ...range, sampleType, additionalType: plan.additionalType };
  const found = await readLabelGroups(ctx.columns, totals, { groupBy, groups });
  if (found.length === 0) return none;
  return {
    columns: found.flatMap((group) => plannedColumns(plan, group)),
    names: found.map(({ number }) => numberedGroupName(groupBy, number, groups)),
  };
}

import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { mergedFlameGraph as mergedCall, flameGraph as profileCall } from "@flamekeep/contract";
import type { FlameMeta } from "@flamekeep/flame";
import type { ProfileType } from "@flamekeep/profile";
import type { z } from "zod";
import type { Actor, Context } from "#context";
import { type GroupedColumns, groupedColumns } from "#decoding/grouped-columns.ts";
import { type LabelSelection, unreadableLabelsText } from "#decoding/labelled-profile.ts";
import {
  isAveraged,
  type MergeRange,
  matchesTotal,
  type RangeContent,
  readRangeContent,
  stackColumns,
} from "#decoding/merge-range.ts";
import { taskFile } from "#decoding/pool.ts";
import { requestedRange } from "#decoding/requested-range.ts";
import { withDefinitions } from "#decoding/with-definitions.ts";
import { Failure, unprocessable } from "#failure";
import { hasLabels, labelFilterOf, labelsOf } from "#http/query/label-filter.ts";
import { isNamed } from "#http/reply/negotiation.ts";
import { readPayload } from "#store/payloads/read-payload.ts";
import { sampleTypeIndex } from "#store/profiles/sample-type.ts";
import { readDrawnProfile } from "./drawn-profile.ts";
import { type Form, formOf } from "./form.ts";
import type { GraphCache } from "./graph-cache.ts";
import type * as tasks from "./tasks.ts";
import { unknownFrameText } from "./unknown-frame.ts";

const flameGraphTasks = taskFile<typeof tasks>(new URL("./tasks.ts", import.meta.url));

/** A flame graph and the headers with which browsers may cache it. */
export interface FlameGraphReply {
  /** Undefined if the caller has the current bytes. */
  readonly bytes: Uint8Array | undefined;
  readonly form: Form;
  readonly headers: Readonly<Record<string, string>>;
}

/** The flame graph of a profile. */
export async function getFlameGraph(
  ctx: Context,
  { orgId }: Pick<Actor, "orgId">,
  {
    id,
    query,
    headers,
  }: { id: string; query: z.output<(typeof profileCall)["query"]>; headers: IncomingHttpHeaders },
): Promise<FlameGraphReply> {
  const form = formOf(headers);
  const wanted: Wanted = {
    orgId,
    profileId: id,
    sampleType: query.sample_type,
    selection: selectionOf(query),
    ...partOf(query, form),
  };
  const { bytes, tag } = await drawProfile(ctx, wanted, headers["if-none-match"]);
  // A profile never changes, so the browser may cache it; it revalidates because access may have ended.
  return { bytes, form, headers: cacheHeaders(tag) };
}

interface MergedInput {
  readonly params: z.output<(typeof mergedCall)["params"]>;
  readonly query: z.output<(typeof mergedCall)["query"]>;
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
  const part = partOf(query, form);
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
      ctx.decoders.run(flameGraphTasks, "drawMergedFlameGraph", { stored, meta, groups: names, ...part }),
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

/** Undefined for all samples, without groups. */
function selectionOf(query: z.output<(typeof profileCall)["query"]>): LabelSelection | undefined {
  const labels = labelFilterOf(query.labels);
  const groupBy = query.group_by_label;
  return hasLabels(labels) || groupBy !== undefined ? { labels, groupBy } : undefined;
}

export function cacheHeaders(etag: string) {
  return { "cache-control": "private, no-cache", etag, vary: "accept, authorization" };
}

/** The flame graph of one profile that a caller requests. */
interface Wanted extends Part {
  readonly orgId: string;
  readonly profileId: string;
  /** In the caller's spelling; undefined for the profile's main sample type. */
  readonly sampleType: string | undefined;
  /** Undefined for all samples. */
  readonly selection: LabelSelection | undefined;
}

/** How much of a graph, and how it is written. */
interface Part {
  readonly form: Form;
  readonly groupBy: "function" | "line";
  readonly maxNodes: number;
  /** The frame to begin at; undefined for the whole graph. */
  readonly root: string | undefined;
  readonly hasSearchIndex: boolean;
}

function partOf(query: z.output<(typeof profileCall)["query"]>, form: Form): Part {
  const { group_by: groupBy, max_nodes: maxNodes, root } = query;
  return { form, groupBy, maxNodes, root, hasSearchIndex: query.search_index && form === "json" };
}

interface TaggedGraph {
  /** Undefined if the caller has the current bytes. */
  readonly bytes: Uint8Array | undefined;
  /** Changes with the bytes. */
  readonly tag: string;
}

/**
 * The flame graph of a profile, without bytes if `ifNoneMatch` names their tag. Throws `not_found` for an unknown profile.
 *
 * Draws before it looks the profile up where the payload store knows the profile's type, because the query takes longer than
 * drawing. That is safe: payloads are removed before their rows are.
 */
async function drawProfile(ctx: Context, wanted: Wanted, ifNoneMatch?: string): Promise<TaggedGraph> {
  const { orgId, profileId } = wanted;
  const early = ifNoneMatch === undefined ? await drawEarly(ctx, wanted) : undefined;
  if (early?.drawn !== undefined) return early.drawn;
  const row = ctx.profiles.cached(orgId, profileId) ?? (await readDrawnProfile(ctx, orgId, profileId));
  if (row.type === "metrics") throw unprocessable(noStacks);
  sampleTypeIndex(row.sample_types, wanted.sampleType);
  const tag = tagOf(wanted, row.content_hash);
  if (isNamed(tag, ifNoneMatch)) return { bytes: undefined, tag };
  if (early?.failure !== undefined) return orUnprocessable(wanted.root, Promise.reject(early.failure));
  const payload = early?.payload ?? (await readPayload(ctx.payloads, orgId, profileId));
  return orUnprocessable(wanted.root, draw(ctx, wanted, row.type, payload));
}

/** Turns the errors by which drawing reports an unknown `root` or unreadable labels into `unprocessable`. */
export async function orUnprocessable<T>(root: string | undefined, drawing: Promise<T>): Promise<T> {
  try {
    return await drawing;
  } catch (error) {
    if (error instanceof RangeError && error.message === unreadableLabelsText)
      throw unprocessable(unreadableLabelsText);
    if (root === undefined || !(error instanceof RangeError)) throw error;
    const text = unknownFrameText(root);
    throw error.message === text ? unprocessable(text) : error;
  }
}

interface Early {
  readonly drawn?: TaggedGraph;
  readonly payload?: Uint8Array;
  /** To throw once the row proves that the profile exists and has the sample type. */
  readonly failure?: Error;
}

async function drawEarly(ctx: Context, wanted: Wanted): Promise<Early> {
  try {
    const stored = await ctx.payloads.read(wanted.orgId, wanted.profileId);
    if (stored === undefined) return {};
    if (stored.type === undefined) return { payload: stored.bytes };
    return { drawn: await draw(ctx, wanted, stored.type, stored.bytes) };
  } catch (error) {
    if (isAboutThisProfile(error)) return { failure: error };
    throw error;
  }
}

/** Whether the payload cannot be read, or has no such sample type or frame, which drawing reports as a RangeError. */
function isAboutThisProfile(error: unknown): error is Error {
  if (error instanceof Failure) return error.code === "damaged" || error.code === "unavailable";
  return error instanceof RangeError;
}

async function draw(
  ctx: Context,
  wanted: Wanted,
  type: ProfileType,
  payload: Uint8Array,
): Promise<TaggedGraph> {
  const { orgId: _, ...form } = wanted;
  const task = { ...form, type, payload };
  const { bytes, contentHash } = await ctx.decoders.open(flameGraphTasks, "drawFlameGraph", task);
  return { bytes, tag: tagOf(wanted, contentHash) };
}

function tagOf({ sampleType = "", selection, ...part }: Wanted, contentHash: string): string {
  const whole = `${contentHash.slice(0, 32)}-${encodeURIComponent(sampleType)}-${partTag(part)}`;
  return selection === undefined
    ? `"${whole}"`
    : `"${whole}-${hash("sha256", JSON.stringify(selection), "hex").slice(0, 32)}"`;
}

function partTag({ form, groupBy, maxNodes, root, hasSearchIndex }: Part): string {
  const nodes = hasSearchIndex ? `${form}-index-${maxNodes}` : `${form}-${maxNodes}`;
  const whole = groupBy === "function" ? nodes : `${nodes}-${groupBy}`;
  return `${whole}${rootTag(root)}`;
}

/** The end of a tag. The reference of a frame is hashed, because it may be too long for a header. */
export function rootTag(root: string | undefined): string {
  return root === undefined ? "" : `-${hash("sha256", root, "hex").slice(0, 32)}`;
}

export const noStacks = "A batch of HTTP metrics has no stacks, so it has no flame graph";

type Meta = Omit<FlameMeta, "totalSamples">;

function mergedTag(meta: Meta, part: Part): string {
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

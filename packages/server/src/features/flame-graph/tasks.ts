import { limits } from "@flamekeep/contract/limits";
import {
  buildCallTree,
  type CallTree,
  encodeFlameGraph,
  type FlameMeta,
  flameJson,
  levelsJson,
  nodeNamed,
  pruneTree,
  subtreeAt,
} from "@flamekeep/flame";
import { defaultSampleType, totalOf } from "@flamekeep/profile";
import type { GraphPart } from "#flame-graph/reply/graph-part.ts";
import { unknownFrameText } from "#flame-graph/reply/unknown-frame.ts";
import { moved } from "#memory/threads.ts";
import { type LabelSelection, selectedStacks } from "#stacks/labelled-profile.ts";
import { type Opened, openLabelledStacks, openStacks, tryOpening } from "#stacks/open-profile.ts";
import { underGroups } from "#stacks/ranges/label-groups.ts";
import { type Resolved, type StoredStacks, tableOf } from "#stacks/ranges/stored-stacks.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type-named.ts";
import { groupedFrames } from "./reply/grouped-frames.ts";

interface DrawTask extends Original, GraphPart {
  /** As a caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
  /** Undefined for all samples. */
  readonly selection: LabelSelection | undefined;
  /** As in the profile's row; undefined if the payload has that hash. */
  readonly contentHash: string | undefined;
}

interface Drawing {
  /** In the form of the task: columns, or JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  /** As in the profile's row. */
  readonly contentHash: string;
}

/** The flame graph of one profile. Throws RangeError if it has no such sample type or frame, or cannot be opened without its row. */
export function drawFlameGraph(task: DrawTask): Opened<Drawing> {
  const drawn = tryOpening(() => draw(task));
  return drawn.damage === undefined ? moved(drawn, [drawn.value.bytes]) : drawn;
}

function draw(task: DrawTask): Drawing {
  const { profile, stacks, contentHash: payloadHash } = openSelected(task);
  const contentHash = task.contentHash ?? payloadHash;
  const sampleType =
    task.sampleType === undefined
      ? defaultSampleType(profile, task.type)
      : sampleTypeNamed(profile.sampleTypes, task.sampleType);
  const tree = buildCallTree(groupedFrames(stacks, task), sampleType);
  const meta = {
    profileId: task.profileId,
    totalSamples: Number(totalOf(stacks.values[sampleType]!)),
    durationMs: Number(profile.durationNs) / 1e6,
    profileHash: contentHash,
  };
  return { bytes: flameGraphBytes(tree, meta, task), contentHash };
}

function openSelected(task: DrawTask) {
  const { selection } = task;
  if (selection === undefined) {
    const { profile, contentHash } = openStacks(task);
    return { profile, stacks: profile.stacks, contentHash };
  }
  const { profile, contentHash } = openLabelledStacks(task);
  return { profile, stacks: selectedStacks(profile, task.type, selection), contentHash };
}

interface MergeTask extends GraphPart {
  readonly stored: StoredStacks;
  readonly meta: Omit<FlameMeta, "totalSamples">;
  /** Frames of the groups by a label, whose columns follow each other; empty for no groups. */
  readonly labelGroups: readonly string[];
}

function totalIn({ columns }: StoredStacks, labelGroups: readonly string[]): number {
  const groups = Math.max(1, labelGroups.length);
  const width = columns.length / groups;
  const main = columns.filter((_, index) => index % width === 0).slice(0, groups);
  return main.reduce((sum, { values, divisor }) => sum + Number(totalOf(values)) / divisor, 0);
}

/** The flame graph of the merged stacks, drawn for the first column; others count samples. */
export function drawMergedFlameGraph({
  stored,
  meta,
  labelGroups,
  ...part
}: MergeTask): Resolved<Uint8Array> {
  const stacks = tableOf(stored);
  if (stacks.missing !== undefined) return stacks;
  const tree = buildCallTree(groupedFrames(underGroups(stacks.value, labelGroups), part), 0);
  const full = { ...meta, totalSamples: totalIn(stored, labelGroups) };
  return { missing: undefined, value: flameGraphBytes(tree, full, part) };
}

const jsonLimits = { maxDepth: limits.flameGraphJsonDepthMax, maxBytes: limits.flameGraphJsonBytesMax };

function flameGraphBytes(
  whole: CallTree,
  meta: FlameMeta,
  { form, maxNodes, root, hasSearchIndex }: GraphPart,
): Uint8Array {
  const tree = partFrom(whole, root);
  if (form === "json") return flameJson(tree, meta, { maxNodes, hasSearchIndex, ...jsonLimits });
  if (form === "levels") return levelsJson(pruneTree(tree, { maxNodes }), meta);
  return encodeFlameGraph(pruneTree(tree, { maxNodes, hasAllFrames: true }), meta);
}

/** The part of a tree from a named frame on. Throws RangeError if there is no such frame. */
export function partFrom(tree: CallTree, root: string | undefined): CallTree {
  if (root === undefined) return tree;
  const node = nodeNamed(tree, root);
  if (node === -1) throw new RangeError(unknownFrameText(root));
  return subtreeAt(tree, node);
}

import { limits } from "@flamekeep/contract";
import {
  buildCallTree,
  byLine,
  type CallTree,
  encodeFlameGraph,
  type FlameMeta,
  flameJson,
  levelsJson,
  nodeNamed,
  pruneTree,
  subtreeAt,
} from "@flamekeep/flame";
import { defaultSampleType, type ProfileType, type StackTable, totalOf } from "@flamekeep/profile";
import { type Opened, openStacks, tryOpening } from "#decoding/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/stored-stacks.ts";
import { moved } from "#memory/moved.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type.ts";
import type { Form } from "./form.ts";
import { unknownFrameText } from "./unknown-frame.ts";

interface FlameGraphForm {
  readonly form: Form;
  readonly maxNodes: number;
  readonly groupBy: "function" | "line";
  /** Id or reference of the frame that is the root; undefined for the whole graph. */
  readonly root: string | undefined;
  /** Whether JSON has the nodes of each function, too. */
  readonly hasSearchIndex: boolean;
}

interface DrawTask extends Original, FlameGraphForm {
  /** As stored in the profile's row. */
  readonly type: ProfileType;
  /** As a caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
}

interface Drawing {
  /** In the form of the task: columns, or JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  /** As in the profile's row. */
  readonly contentHash: string;
}

/** The flame graph of one profile. Throws RangeError if it has no such sample type or frame. */
export function drawFlameGraph(task: DrawTask): Opened<Drawing> {
  const drawn = tryOpening(() => draw(task));
  return drawn.damage === undefined ? moved(drawn, [drawn.value.bytes]) : drawn;
}

function draw(task: DrawTask): Drawing {
  const { profile, contentHash } = openStacks(task);
  const sampleType =
    task.sampleType === undefined
      ? defaultSampleType(profile, task.type)
      : sampleTypeNamed(profile.sampleTypes, task.sampleType);
  const tree = buildCallTree(grouped(profile.stacks, task), sampleType);
  const meta = {
    profileId: task.profileId,
    totalSamples: Number(totalOf(profile.stacks.values[sampleType]!)),
    durationMs: Number(profile.durationNs) / 1e6,
    profileHash: contentHash,
  };
  return { bytes: flameGraphBytes(tree, meta, task), contentHash };
}

interface MergeTask extends FlameGraphForm {
  readonly stored: StoredStacks;
  readonly meta: Omit<FlameMeta, "totalSamples">;
}

function totalIn({ columns: [column] }: StoredStacks): number {
  return column === undefined ? 0 : Number(totalOf(column.values)) / column.divisor;
}

/** The flame graph of the stacks of many profiles, over the first column. */
export function drawMergedFlameGraph({ stored, meta, ...form }: MergeTask): Resolved<Uint8Array> {
  const stacks = tableOf(stored);
  if (stacks.missing !== undefined) return stacks;
  const tree = buildCallTree(grouped(stacks.value, form), 0);
  const full = { ...meta, totalSamples: totalIn(stored) };
  return { missing: undefined, value: flameGraphBytes(tree, full, form) };
}

function grouped(stacks: StackTable, { groupBy }: FlameGraphForm): StackTable {
  return groupBy === "line" ? byLine(stacks) : stacks;
}

const jsonLimits = { maxDepth: limits.flameGraphJsonDepthMax, maxBytes: limits.flameGraphJsonBytesMax };

function flameGraphBytes(
  whole: CallTree,
  meta: FlameMeta,
  { form, maxNodes, root, hasSearchIndex }: FlameGraphForm,
): Uint8Array {
  const tree = root === undefined ? whole : partOf(whole, root);
  if (form === "json") return flameJson(tree, meta, { maxNodes, hasSearchIndex, ...jsonLimits });
  const pruned = pruneTree(tree, { maxNodes });
  return form === "columns" ? encodeFlameGraph(pruned, meta) : levelsJson(pruned, meta);
}

function partOf(tree: CallTree, root: string): CallTree {
  const node = nodeNamed(tree, root);
  if (node === -1) throw new RangeError(unknownFrameText(root));
  return subtreeAt(tree, node);
}

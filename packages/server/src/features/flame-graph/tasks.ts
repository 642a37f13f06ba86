import { limits } from "@flamekeep/contract";
import {
  buildCallTree,
  type CallTree,
  encodeFlameGraph,
  type FlameMeta,
  flameJson,
  pruneTree,
} from "@flamekeep/flame";
import { defaultSampleType, type ProfileType, totalOf } from "@flamekeep/profile";
import { type Opened, openStacks, tryOpening } from "#decoding/open-profile.ts";
import { type Resolved, type StoredStacks, tableOf } from "#decoding/stored-stacks.ts";
import { moved } from "#memory/moved.ts";
import type { Original } from "#store/payloads/read-payload.ts";
import { sampleTypeNamed } from "#store/profiles/sample-type.ts";

interface FlameGraphForm {
  /** Columns, or JSON text in UTF-8. */
  readonly form: "columns" | "json";
  readonly maxNodes: number;
}

interface DrawTask extends Original, FlameGraphForm {
  /** As stored in the profile's row. */
  readonly type: ProfileType;
  /** As a caller names it; undefined for the profile's main one. */
  readonly sampleType: string | undefined;
}

interface Drawing {
  /** Columns, or JSON text in UTF-8. */
  readonly bytes: Uint8Array;
  /** As in the profile's row. */
  readonly contentHash: string;
}

/** The flame graph of one profile. Throws RangeError if it has no such sample type. */
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
  const tree = buildCallTree(profile.stacks, sampleType);
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
  const tree = buildCallTree(stacks.value, 0);
  const full = { ...meta, totalSamples: totalIn(stored) };
  return { missing: undefined, value: flameGraphBytes(tree, full, form) };
}

const jsonLimits = { maxDepth: limits.flameGraphJsonDepthMax, maxBytes: limits.flameGraphJsonBytesMax };

function flameGraphBytes(tree: CallTree, meta: FlameMeta, { form, maxNodes }: FlameGraphForm): Uint8Array {
  return form === "columns"
    ? encodeFlameGraph(pruneTree(tree, { maxNodes }), meta)
    : flameJson(tree, meta, { maxNodes, ...jsonLimits });
}

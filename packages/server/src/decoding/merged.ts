import { buildCallTree, encodeFlameGraph, type FlameMeta, flameJson, pruneTree } from "@flamekeep/flame";
import { type Resolved, type StoredStacks, tableOf } from "./stored-stacks.ts";

export interface MergeTask {
  readonly stored: StoredStacks;
  readonly meta: Omit<FlameMeta, "totalSamples">;
  readonly form: "columns" | "json";
  readonly maxNodes: number;
}

/** The flame graph of many profiles' stacks, over the first column; as columns, or as JSON text in UTF-8. */
export function drawMergedFlameGraph({ stored, meta, form, maxNodes }: MergeTask): Resolved<Uint8Array> {
  const stacks = tableOf(stored);
  if (stacks.missing !== undefined) return stacks;
  const tree = buildCallTree(stacks.value, 0);
  const full = { ...meta, totalSamples: tree.total[0] ?? 0 };
  const value =
    form === "columns"
      ? encodeFlameGraph(pruneTree(tree, { maxNodes }), full)
      : flameJson(tree, full, { maxNodes });
  return { missing: undefined, value };
}

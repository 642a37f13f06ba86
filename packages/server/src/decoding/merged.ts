import { buildCallTree, type FlameMeta } from "@flamekeep/flame";
import { type FlameGraphForm, flameGraphBytes } from "./flame-graph-bytes.ts";
import { type Resolved, type StoredStacks, tableOf } from "./stored-stacks.ts";

export interface MergeTask extends FlameGraphForm {
  readonly stored: StoredStacks;
  readonly meta: Omit<FlameMeta, "totalSamples">;
}

/** The flame graph of many profiles' stacks, over the first column; as columns, or as JSON text in UTF-8. */
export function drawMergedFlameGraph({ stored, meta, ...form }: MergeTask): Resolved<Uint8Array> {
  const stacks = tableOf(stored);
  if (stacks.missing !== undefined) return stacks;
  const tree = buildCallTree(stacks.value, 0);
  const full = { ...meta, totalSamples: tree.total[0] ?? 0 };
  return { missing: undefined, value: flameGraphBytes(tree, full, form) };
}

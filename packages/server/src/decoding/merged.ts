import { buildCallTree, type FlameMeta } from "@flamekeep/flame";
import { totalOf } from "@flamekeep/profile";
import { type FlameGraphForm, flameGraphBytes } from "./flame-graph-bytes.ts";
import { type Resolved, type StoredStacks, tableOf } from "./stored-stacks.ts";

export interface MergeTask extends FlameGraphForm {
  readonly stored: StoredStacks;
  readonly meta: Omit<FlameMeta, "totalSamples">;
}

function totalIn({ columns: [column] }: StoredStacks): number {
  return column === undefined ? 0 : Number(totalOf(column.values)) / column.divisor;
}

/** The flame graph of many profiles' stacks, over the first column; as columns, or as JSON text in UTF-8. */
export function drawMergedFlameGraph({ stored, meta, ...form }: MergeTask): Resolved<Uint8Array> {
  const stacks = tableOf(stored);
  if (stacks.missing !== undefined) return stacks;
  const tree = buildCallTree(stacks.value, 0);
  const full = { ...meta, totalSamples: totalIn(stored) };
  return { missing: undefined, value: flameGraphBytes(tree, full, form) };
}

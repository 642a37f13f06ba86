import { limits } from "@flamekeep/contract";
import { type CallTree, encodeFlameGraph, type FlameMeta, flameJson, pruneTree } from "@flamekeep/flame";

export interface FlameGraphForm {
  /** Columns, or JSON text in UTF-8. */
  readonly form: "columns" | "json";
  readonly maxNodes: number;
}

const jsonLimits = { maxDepth: limits.flameGraphJsonDepthMax, maxBytes: limits.flameGraphJsonBytesMax };

export function flameGraphBytes(
  tree: CallTree,
  meta: FlameMeta,
  { form, maxNodes }: FlameGraphForm,
): Uint8Array {
  return form === "columns"
    ? encodeFlameGraph(pruneTree(tree, { maxNodes }), meta)
    : flameJson(tree, meta, { maxNodes, ...jsonLimits });
}

import { type CallTree, wholeField } from "#tree/call-tree.ts";
import { isWidestFirst } from "#tree/columns.ts";
import { deriveColumns, skeletonOf, widestValues } from "#tree/derive.ts";
import { reordered, shareScale } from "#tree/lay-out.ts";
import type { Frames } from "./engine/frames.ts";
import { sandwich } from "./kinds.ts";
import { applyTransform } from "./table.ts";
import { functionsOf } from "./target.ts";
import type { Target, Transform } from "./transform.ts";

/** The callers and callees of functions, below the root the same frames in both. */
export interface BothSides {
  readonly callers: CallTree;
  readonly callees: CallTree;
}

/** The tree after a chain of transforms. Shares still refer to the tree itself. The same tree if nothing changes. */
export function transformTree(tree: CallTree, chain: readonly Transform[]): CallTree {
  const frames = framesOf(tree);
  const result = chain.reduce(applyTransform, frames);
  return result === frames ? tree : treeOf(result, tree);
}

/** All places of the functions of a target as one, with everything that called them and everything that they called. */
export function sandwichTree(tree: CallTree, target: Target): BothSides {
  const { callers, callees } = sandwich(framesOf(tree), functionsOf(tree.functions, target));
  return { callers: treeOf(callers, tree), callees: treeOf(callees, tree) };
}

/** Frames of several columns are as wide as their largest share of a column. */
function framesOf(tree: CallTree): Frames {
  const { columns, functions, length, self, total, width } = tree;
  const { total: _, allFrames: __, widthOf: ___, ...skeleton } = skeletonOf(tree);
  if (columns.length === 1) {
    const selfWidth = width === total ? self : self.map((value) => Math.max(0, value));
    return { ...skeleton, length, functions, selfWidth };
  }
  const scale = shareScale(tree);
  const widest = widestValues(columns, { scale });
  const elisions = { ...skeleton.elisions, width: widest.elided };
  return { ...skeleton, length, functions, scale, selfWidth: widest.self, elisions };
}

function treeOf(frames: Frames, source: CallTree): CallTree {
  const { functions, valueType } = source;
  const tree = { ...deriveColumns(frames), functions, valueType, ...wholeField(source) };
  // Merging negative values with positive ones, or adding fractions in another order, can change the order of siblings.
  if (tree.columns.length > 1 || isWidestFirst(tree.width, tree.parent)) return tree;
  return { ...tree, ...deriveColumns(reordered(tree, tree.width).skeleton) };
}

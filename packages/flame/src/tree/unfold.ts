import type { CallTree, ElisionTable } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { joinedChildren, joinedColumn, joinedElisions, joinedFunctions, joinedLayout } from "./join.ts";
import { selfSamples } from "./self-samples.ts";
import { rangesBelow } from "./subtree.ts";

/** Whether frames at or below the node were elided. */
export function hasElisionsBelow(
  tree: Pick<CallTree, "firstChild"> & { readonly elisions: Pick<ElisionTable, "node" | "length"> },
  node: number,
): boolean {
  if (tree.elisions.length === 0) return false;
  if (node === 0) return true;
  const { node: nodes } = tree.elisions;
  let row = 0;
  for (const { from, to } of rangesBelow(tree, node)) {
    while (row < nodes.length && nodes[row] < from) row++;
    if (row < nodes.length && nodes[row] < to) return true;
  }
  return false;
}

/**
 * Replaces `node` by `subtree`, which is the same node with the frames that were elided. Frames that the tree has keep their order, so
 * references to them stay valid.
 */
export function unfoldAt(tree: CallTree, node: number, subtree: CallTree): CallTree {
  const { functions, ofSubtree } = joinedFunctions(tree.functions, subtree.functions);
  const layout = joinedLayout(tree, node, subtree);
  const { length } = layout;
  const innerFn = subtree.fn.map((fn) => ofSubtree[fn]);
  const innerLine = subtree.line.slice();
  innerLine[0] = tree.line[node];
  const floats = (outer: Float64Array, inner: Float64Array) =>
    joinedColumn(layout, outer, inner, new Float64Array(length));
  const columns = deriveColumns({
    firstChild: joinedChildren(layout, tree, subtree),
    fn: joinedColumn(layout, tree.fn, innerFn, new Uint32Array(length)),
    line: joinedColumn(layout, tree.line, innerLine, new Int32Array(length)),
    self: floats(tree.self, subtree.self),
    selfSamples: floats(selfSamples(tree), selfSamples(subtree)),
    elisions: joinedElisions(layout, tree.elisions, subtree.elisions, ofSubtree, [
      "count",
      "total",
      "width",
      "samples",
    ]),
  });
  const { valueType, whole } = tree;
  return { ...columns, functions, valueType, ...(whole !== undefined && { whole }) };
}

/** A part of a comparison, and the way back: a comparison with more frames where it left some out. */
import { levelStarts, parentsOf, totalsOf } from "#tree/derive.ts";
import { remainingFunctions } from "#tree/function-index.ts";
import { joinedChildren, joinedColumn, joinedElisions, joinedFunctions, joinedLayout } from "#tree/join.ts";
import { childrenIn, copyRanges, rangesBelow, rowsIn } from "#tree/subtree.ts";
import type { ComparedElisions, Comparison, SideValues } from "./comparison.ts";

/** The frame and everything below it as a separate comparison. */
export function comparisonAt(comparison: Comparison, root: number): Comparison {
  if (root === 0) return comparison;
  const ranges = rangesBelow(comparison, root);
  const length = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  const fn = copyRanges(ranges, comparison.fn, new Uint32Array(length));
  const elisions = elisionsIn(comparison.elisions, rowsIn(comparison.elisions, ranges));
  const floats = (from: Float64Array) => copyRanges(ranges, from, new Float64Array(length));
  const side = ({ self, total }: SideValues) => ({ self: floats(self), total: floats(total) });
  const firstChild = childrenIn(comparison, ranges, length);
  return {
    length,
    valueType: comparison.valueType,
    functions: remainingFunctions(comparison.functions, fn, elisions.largest),
    firstChild,
    parent: parentsOf(firstChild, length),
    fn,
    line: copyRanges(ranges, comparison.line, new Int32Array(length)),
    before: side(comparison.before),
    after: side(comparison.after),
    elisions,
  };
}

function elisionsIn(
  elisions: ComparedElisions,
  { rows, nodes }: ReturnType<typeof rowsIn>,
): ComparedElisions {
  const floats = (of: "count" | "before" | "after") => Float64Array.from(rows, (row) => elisions[of][row]);
  return {
    length: rows.length,
    node: nodes,
    count: floats("count"),
    before: floats("before"),
    after: floats("after"),
    largest: Uint32Array.from(rows, (row) => elisions.largest[row]),
  };
}

/**
 * Replaces `node` by `part`, which is the same node with the frames that were elided. Frames that the comparison has keep their order, so
 * references to them stay valid.
 */
export function unfoldComparison(comparison: Comparison, node: number, part: Comparison): Comparison {
  const [outer, inner] = [shaped(comparison), shaped(part)];
  const { functions, ofSubtree } = joinedFunctions(comparison.functions, part.functions);
  const layout = joinedLayout(outer, node, inner);
  const { length } = layout;
  const firstChild = joinedChildren(layout, outer, inner);
  const parent = parentsOf(firstChild, length);
  const innerLine = part.line.slice();
  innerLine[0] = comparison.line[node];
  const elisions = joinedElisions(layout, comparison.elisions, part.elisions, ofSubtree, [
    "count",
    "before",
    "after",
  ]);
  const side = (name: "before" | "after"): SideValues => {
    const self = joinedColumn(layout, comparison[name].self, part[name].self, new Float64Array(length));
    return { self, total: totalsOf(self, parent, elisions, elisions[name]) };
  };
  const innerFn = part.fn.map((fn) => ofSubtree[fn]);
  return {
    length,
    valueType: comparison.valueType,
    functions,
    firstChild,
    parent,
    fn: joinedColumn(layout, comparison.fn, innerFn, new Uint32Array(length)),
    line: joinedColumn(layout, comparison.line, innerLine, new Int32Array(length)),
    before: side("before"),
    after: side("after"),
    elisions,
  };
}

function shaped({ firstChild, length }: Comparison) {
  return { firstChild, levelStart: levelStarts(firstChild, length) };
}

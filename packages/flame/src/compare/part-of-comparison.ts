import { parentsOf } from "#tree/derive.ts";
import { remainingFunctions } from "#tree/function-index.ts";
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

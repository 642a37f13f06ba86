import { breadthFirst, firstChildren } from "#tree/breadth-first.ts";
import type { CallTree, ElisionTable } from "#tree/call-tree.ts";
import { addSubtrees, deriveColumns } from "#tree/derive.ts";
import { gather, gathered } from "#tree/gather.ts";
import { isWidestFirst } from "#tree/sorted.ts";
import type { ComparedElisions, Comparison, Scale, SideValues } from "./comparison.ts";

/**
 * The side that determines the width of a frame. `both` takes the wider one, so that nothing is hidden; `before` and `after` are for two
 * graphs next to each other.
 */
export type WidthSide = "both" | "before" | "after";

/**
 * A comparison as a tree that can be drawn, searched and zoomed. Its `self`, `total`, `width` and `samples` are the scaled values of
 * the side that determines the widths; the measured values of both sides are in `before` and `after`.
 */
export interface ComparedTree extends CallTree {
  readonly scale: Scale;
  readonly before: SideValues;
  readonly after: SideValues;
  readonly elisions: ElisionTable & Pick<ComparedElisions, "before" | "after">;
  /** Node of the comparison for each node. */
  readonly source: Uint32Array;
}

/** Sorts siblings by width for the scale and derives all columns. Shares arrays with the comparison if its order already fits. */
export function layOut(comparison: Comparison, scale: Scale, widthOf: WidthSide = "both"): ComparedTree {
  const { functions, valueType, parent, fn } = comparison;
  const drawn = drawnValues(comparison, scale, widthOf);
  const width = addSubtrees(drawn.withElided, parent);
  const isSorted = isWidestFirst(width, parent);
  const { order, childCount } = isSorted
    ? { order: undefined, childCount: undefined }
    : breadthFirst(comparison, width, functions);
  const pick = (from: Float64Array) => (order === undefined ? from : gathered(from, order));
  const self = pick(drawn.self);
  const elisions = elisionsOf(comparison, drawn.elided, order);
  const columns = deriveColumns({
    firstChild: order === undefined ? comparison.firstChild : firstChildren(order, childCount),
    fn: order === undefined ? fn : gather(fn, order, new Uint32Array(order.length)),
    line:
      order === undefined ? comparison.line : gather(comparison.line, order, new Int32Array(order.length)),
    self,
    selfSamples: self,
    elisions,
  });
  const side = ({ self: own, total, allFrames }: SideValues) => ({
    self: pick(own),
    total: pick(total),
    ...(allFrames && { allFrames }),
  });
  return {
    ...columns,
    elisions,
    functions,
    valueType,
    scale,
    source: order ?? inOrder(comparison.length),
    before: side(comparison.before),
    after: side(comparison.after),
  };
}

function inOrder(length: number): Uint32Array {
  const places = new Uint32Array(length);
  for (let node = 0; node < length; node++) places[node] = node;
  return places;
}

function drawnValues({ before, after, elisions, length }: Comparison, scale: Scale, widthOf: WidthSide) {
  const b = widthOf === "after" ? 0 : scale.before;
  const a = widthOf === "before" ? 0 : scale.after;
  const self = new Float64Array(length);
  for (let node = 0; node < length; node++)
    self[node] = Math.max(0, before.self[node] * b, after.self[node] * a);
  const elided = elisions.before.map((value, row) => Math.max(0, value * b, elisions.after[row] * a));
  const withElided = self.slice();
  for (let row = 0; row < elided.length; row++) {
    const node = elisions.node[row];
    withElided[node] += elided[row];
  }
  return { self, elided, withElided };
}

function elisionsOf(
  { elisions, length }: Comparison,
  width: Float64Array,
  order: Uint32Array | undefined,
): ComparedTree["elisions"] {
  if (order === undefined || elisions.length === 0)
    return { ...elisions, total: width, width, samples: width };
  const rowOf = new Int32Array(length).fill(-1);
  for (let row = 0; row < elisions.length; row++) rowOf[elisions.node[row]] = row;
  const node = Uint32Array.from(order.keys()).filter((at) => rowOf[order[at]] !== -1);
  const rows = Uint32Array.from(node, (at) => rowOf[order[at]]);
  const widths = Float64Array.from(rows, (row) => width[row]);
  return {
    length: rows.length,
    node,
    count: Float64Array.from(rows, (row) => elisions.count[row]),
    total: widths,
    before: Float64Array.from(rows, (row) => elisions.before[row]),
    after: Float64Array.from(rows, (row) => elisions.after[row]),
    width: widths,
    samples: widths,
    largest: Uint32Array.from(rows, (row) => elisions.largest[row]),
  };
}

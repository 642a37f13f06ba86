import { type Comparison, shareScale } from "#compare/comparison.ts";
import { breadthFirst, firstChildren } from "#tree/breadth-first.ts";
import { type CallTree, wholeOf } from "#tree/call-tree.ts";
import { deriveColumns, type TreeSkeleton, totalsOf } from "#tree/derive.ts";
import { gather, gathered } from "#tree/gather.ts";
import { selfSamples } from "#tree/self-samples.ts";
import { isWidestFirst } from "#tree/sorted.ts";
import { placeElisions } from "./engine/elided.ts";
import type { Frames } from "./engine/frames.ts";
import { sandwich } from "./kinds/sandwich.ts";
import { applyTransform } from "./table.ts";
import { functionsOf } from "./target.ts";
import type { Target, Transform } from "./transform.ts";

/** The callers and callees of functions, below the root the same frames in both. */
export interface BothSides<T> {
  readonly callers: T;
  readonly callees: T;
}

/** The tree after a chain of transforms. Shares still refer to the tree itself. The same tree if nothing changes. */
export function transformTree(tree: CallTree, chain: readonly Transform[]): CallTree {
  const frames = framesOfTree(tree);
  const result = chain.reduce(applyTransform, frames);
  return result === frames ? tree : treeOf(result, tree);
}

/** As `transformTree`, of a comparison. */
export function transformComparison(comparison: Comparison, chain: readonly Transform[]): Comparison {
  const frames = framesOfComparison(comparison);
  const result = chain.reduce(applyTransform, frames);
  return result === frames ? comparison : comparisonOf(result, comparison);
}

/** All places of the functions of a target as one, with everything that called them and everything that they called. */
export function sandwichTree(tree: CallTree, target: Target): BothSides<CallTree> {
  const { callers, callees } = sandwich(framesOfTree(tree), functionsOf(tree.functions, target));
  return { callers: treeOf(callers, tree), callees: treeOf(callees, tree) };
}

/** As `sandwichTree`, of a comparison. */
export function sandwichComparison(comparison: Comparison, target: Target): BothSides<Comparison> {
  const isMember = functionsOf(comparison.functions, target);
  const { callers, callees } = sandwich(framesOfComparison(comparison), isMember);
  return { callers: comparisonOf(callers, comparison), callees: comparisonOf(callees, comparison) };
}

function framesOfTree(tree: CallTree): Frames {
  const { length, functions, firstChild, parent, fn, line, self, width, total, elisions } = tree;
  return {
    length,
    functions,
    firstChild,
    parent,
    fn,
    line,
    self: [self, selfSamples(tree)],
    selfWidth: width === total ? self : self.map((value) => Math.max(0, value)),
    elisions: { ...elisions, values: [elisions.total, elisions.samples] },
  };
}

function treeOf(
  { self: values, firstChild, parent, fn, line, functions, elisions }: Frames,
  source: CallTree,
): CallTree {
  const [self, samples] = values;
  const { length, node, count, largest, width } = elisions;
  const [total, elidedSamples] = elisions.values;
  const skeleton: TreeSkeleton = {
    firstChild,
    parent,
    fn,
    line,
    self,
    selfSamples: samples,
    elisions: { length, node, count, largest, width, total, samples: elidedSamples },
  };
  const tree = {
    ...deriveColumns(skeleton),
    functions,
    valueType: source.valueType,
    whole: wholeOf(source),
  };
  if (isWidestFirst(tree.width, tree.parent)) return tree;
  // The column of samples belongs to the tree now, with the sums.
  return { ...tree, ...deriveColumns(sorted({ ...skeleton, selfSamples: selfSamples(tree) }, tree)) };
}

/** Merging negative values with positive ones, or adding fractions in another order, can change the order of siblings. */
function sorted(skeleton: TreeSkeleton, tree: CallTree): TreeSkeleton {
  const { order, childCount } = breadthFirst(tree, tree.width, tree.functions);
  const place = new Int32Array(order.length);
  for (let at = 0; at < order.length; at++) place[order[at]] = at;
  const { total, samples, ...elisions } = skeleton.elisions;
  const { values, ...moved } = placeElisions({ ...elisions, values: [total, samples] }, place);
  return {
    firstChild: firstChildren(order, childCount),
    fn: gather(skeleton.fn, order, new Uint32Array(order.length)),
    line: gather(skeleton.line, order, new Int32Array(order.length)),
    self: gathered(skeleton.self, order),
    selfSamples: gathered(skeleton.selfSamples, order),
    elisions: { ...moved, total: values[0], samples: values[1] },
  };
}

function framesOfComparison(comparison: Comparison): Frames {
  const { length, functions, firstChild, parent, fn, line, before, after, elisions } = comparison;
  const scale = shareScale(comparison);
  const wider = (b: Float64Array, a: Float64Array) =>
    b.map((value, row) => Math.max(0, value * scale.before, a[row] * scale.after));
  return {
    length,
    functions,
    firstChild,
    parent,
    fn,
    line,
    self: [before.self, after.self],
    selfWidth: wider(before.self, after.self),
    elisions: {
      ...elisions,
      values: [elisions.before, elisions.after],
      width: wider(elisions.before, elisions.after),
    },
  };
}

function comparisonOf(frames: Frames, { valueType }: Comparison): Comparison {
  const { length, functions, firstChild, parent, fn, line, elisions } = frames;
  const { node, count, largest, values } = elisions;
  const [before, after] = frames.self.map((self, side) => ({
    self,
    total: totalsOf(self, parent, elisions, values[side]),
  }));
  return {
    length,
    valueType,
    functions,
    firstChild,
    parent,
    fn,
    line,
    before,
    after,
    elisions: { length: elisions.length, node, count, largest, before: values[0], after: values[1] },
  };
}

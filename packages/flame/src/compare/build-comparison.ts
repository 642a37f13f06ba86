import { matchFunctions, type StackTable, side, type ValueColumn } from "@flamekeep/profile";
import { type CutStacks, placesInAll, stackTotals, withAllFunctions } from "#tree/all-frames.ts";
import { breadthFirst, firstChildren } from "#tree/breadth-first.ts";
import { nodesMax } from "#tree/build-call-tree.ts";
import { buildTrie, type ElidedByNode } from "#tree/build-trie.ts";
import type { AllFrames } from "#tree/call-tree.ts";
import { addSubtrees, parentsOf, totalsOf } from "#tree/derive.ts";
import { byFrame, type FunctionIndex, indexFunctions, usedFunctions } from "#tree/function-index.ts";
import { gather, gathered } from "#tree/gather.ts";
import type { Trie } from "#tree/trie.ts";
import { type ComparedElisions, type Comparison, nothingElided, type Scale, unscaled } from "./comparison.ts";

/**
 * The comparison of the first column of a table with its second, made as `buildCallTree` makes a tree. Stacks that a profiler truncated are
 * recognised among both sides' stacks together, so that a stack that both have is at the same place.
 */
export function buildComparison(
  stacks: StackTable,
  scale: Scale = unscaled,
  maxNodes = nodesMax,
): Comparison {
  const [before, after] = stacks.values;
  const valueType = stacks.sampleTypes[1];
  if (before === undefined || after === undefined || valueType === undefined)
    throw new RangeError("a comparison needs two columns");
  const index = byFrame(matchedFunctions(stacks, indexFunctions(stacks.frames)), stacks.frames);
  const nodeOf = new Int32Array(stacks.length);
  const values = magnitudes(before, after);
  const { trie, elided, cut } = buildTrie(stacks, { values, counts: undefined, index, maxNodes, nodeOf });
  const sides = { before: sumsOf(before, nodeOf, trie.length), after: sumsOf(after, nodeOf, trie.length) };
  const { order, childCount } = breadthFirst(trie, widthsOf(trie, sides, scale), index);
  const firstChild = firstChildren(order, childCount);
  const parent = parentsOf(firstChild, trie.length);
  const fn = gather(trie.fn, order, new Uint32Array(trie.length));
  const elisions = elisionsOf(elided, order, sides);
  const ids = [fn, elisions.largest];
  const rename = (...all: Uint32Array[]) => usedFunctions(index, ...all);
  const all = cut && withAllFunctions(sumsOfSides(cut, before, after), ids, rename);
  const functions = all?.functions ?? rename(...ids);
  const valuesOf = (side: Sums, elided: Float64Array, allFrames: AllFrames | undefined) => {
    const self = gathered(side.self, order);
    return { self, total: totalsOf(self, parent, elisions, elided), ...(allFrames && { allFrames }) };
  };
  return {
    length: trie.length,
    valueType,
    functions,
    firstChild,
    parent,
    fn,
    line: gather(trie.line, order, new Int32Array(trie.length)),
    before: valuesOf(sides.before, elisions.before, all?.sums[0]),
    after: valuesOf(sides.after, elisions.after, all?.sums[1]),
    elisions,
  };
}

/** The index with one function for both sides' where only their files differ, as those of two builds do. */
function matchedFunctions({ start, frame, length, values }: StackTable, index: FunctionIndex): FunctionIndex {
  const [before, after] = values;
  const sides = new Uint8Array(index.count);
  for (let stack = 0; stack < length; stack++) {
    const mask =
      (Number(before[stack]) === 0 ? 0 : side.before) | (Number(after[stack]) === 0 ? 0 : side.after);
    for (let at = start[stack]; at < start[stack + 1]; at++) {
      const fn = index.ofFrame[frame[at]];
      sides[fn] = sides[fn] | mask;
    }
  }
  const matched = matchFunctions(index, sides);
  const storedNames = index.storedNames.slice();
  for (const [fn, other] of matched.entries())
    if (fn !== other) storedNames[other] = new Set([...storedNames[other], ...storedNames[fn]]);
  return { ...index, storedNames, ofFrame: index.ofFrame.map((fn) => matched[fn]) };
}

function sumsOfSides(cut: CutStacks, before: ValueColumn, after: ValueColumn) {
  const places = placesInAll(cut);
  return [stackTotals(cut, before, places), stackTotals(cut, after, places)] as const;
}

/** The size of each stack, by which stacks are chosen if not all fit; 0 for a stack that neither side has. */
function magnitudes(before: ValueColumn, after: ValueColumn): Float64Array {
  const sums = new Float64Array(before.length);
  for (let stack = 0; stack < sums.length; stack++)
    sums[stack] = Math.abs(Number(before[stack])) + Math.abs(Number(after[stack]));
  return sums;
}

/** By node of the trie: its self value, and the value of the frames that were elided below it. */
interface Sums {
  readonly self: Float64Array;
  readonly elided: Float64Array;
}

function sumsOf(values: ValueColumn, nodeOf: Int32Array, nodes: number): Sums {
  const self = new Float64Array(nodes);
  const elided = new Float64Array(nodes);
  for (let stack = 0; stack < nodeOf.length; stack++) {
    const node = nodeOf[stack];
    if (node >= 0) self[node] += Number(values[stack]);
    else elided[~node] += Number(values[stack]);
  }
  return { self, elided };
}

interface BothSums {
  readonly before: Sums;
  readonly after: Sums;
}

function widthsOf({ length, parent }: Trie, { before, after }: BothSums, scale: Scale): Float64Array {
  const width = new Float64Array(length);
  for (let node = 0; node < length; node++) {
    const self = Math.max(0, before.self[node] * scale.before, after.self[node] * scale.after);
    width[node] = self + Math.max(0, before.elided[node] * scale.before, after.elided[node] * scale.after);
  }
  return addSubtrees(width, parent);
}

function elisionsOf(elided: ElidedByNode, order: Uint32Array, { before, after }: BothSums): ComparedElisions {
  if (elided.size === 0) return nothingElided;
  const node = Uint32Array.from(order.keys()).filter((at) => elided.has(order[at]));
  return {
    length: node.length,
    node,
    count: Float64Array.from(node, (at) => elided.get(order[at])!.count),
    before: Float64Array.from(node, (at) => before.elided[order[at]]),
    after: Float64Array.from(node, (at) => after.elided[order[at]]),
    largest: Uint32Array.from(node, (at) => elided.get(order[at])!.largest),
  };
}

import { countColumn, matchFunctions, type StackTable, side, type ValueColumn } from "@flamekeep/profile";
import { placesInAll, stackTotals, withAllFunctions } from "./all-frames.ts";
import { breadthFirst, firstChildren } from "./breadth-first.ts";
import { buildTrie, type CutStacks, type ElidedByNode, type Trie } from "./build-trie.ts";
import type { CallTree, Scale } from "./call-tree.ts";
import { gather, gathered } from "./columns.ts";
import { addSubtrees, deriveColumns, type ElidedFrames, widestValues } from "./derive.ts";
import { byFrame, type FunctionIndex, indexFunctions, usedFunctions } from "./function-index.ts";

/** Twice the largest trees seen in practice; no screen shows a hundredth of it, and each node takes 100 bytes. */
export const nodesMax = 1 << 21;

/**
 * Call tree of one sample type: frames with the same function name under the same parent are one node. Stacks whose
 * value is 0 are skipped; their samples count as the root's self samples. Stacks that a Go profiler truncated (see `truncatedStacks`) hang
 * below one `[truncated]` frame, so that their first frames do not appear as true roots. No recursion: stacks may be of any depth.
 *
 * If the stacks need more than `maxNodes` nodes, the widest are used; frames of the others that are not among theirs are
 * counted as elided.
 *
 * @param sampleType index into `stacks.sampleTypes`
 */
export function buildCallTree(stacks: StackTable, sampleType: number, maxNodes = nodesMax): CallTree {
  const counts = stacks.values[countColumn(stacks.sampleTypes, sampleType)];
  const samples = counts === undefined ? new Float64Array(stacks.length).fill(1) : numbers(counts, stacks);
  const index = byFrame(indexFunctions(stacks.frames), stacks.frames);
  return build(stacks, { sampleTypes: [sampleType], samples: [samples], index, scale: [1], maxNodes });
}

/**
 * The columns of a table as one tree, made as `buildCallTree` makes one. Stacks that a profiler truncated are recognised among the stacks
 * of all columns together, so that a stack that several have is at the same place.
 *
 * @param scale siblings are sorted by the widths that it gives
 */
export function buildComparison(
  stacks: StackTable,
  scale: Scale = stacks.values.map(() => 1),
  maxNodes = nodesMax,
): CallTree {
  const sampleTypes = [...stacks.values.keys()];
  if (sampleTypes.length < 2) throw new RangeError("a comparison needs two columns");
  const index = byFrame(matchedFunctions(stacks, indexFunctions(stacks.frames)), stacks.frames);
  return build(stacks, { sampleTypes, samples: [], index, scale, maxNodes });
}

interface BuildInput {
  readonly sampleTypes: readonly number[];
  /** Samples of each stack of a single column. */
  readonly samples: readonly Float64Array[];
  readonly index: FunctionIndex;
  readonly scale: Scale;
  readonly maxNodes: number;
}

function build(stacks: StackTable, { sampleTypes, samples, index, scale, maxNodes }: BuildInput): CallTree {
  const valueType = stacks.sampleTypes[sampleTypes.at(-1)!];
  if (valueType === undefined) throw new RangeError(`no sample type ${sampleTypes}`);
  const values = sampleTypes.map((sampleType) => numbers(stacks.values[sampleType], stacks));
  const nodeOf = new Int32Array(stacks.length);
  const sizes = values.length === 1 ? values[0] : magnitudes(values);
  const { trie, elided, cut } = buildTrie(stacks, { values: sizes, index, maxNodes, nodeOf });
  const sums = [...values, ...samples].map((column) => sumsOf(column, nodeOf, trie.length));
  const width = widthsOf(
    trie,
    sums.slice(0, values.length),
    scale,
    samples.length === 0 ? undefined : positiveElided(values[0], nodeOf, trie.length),
  );
  const { order, childCount } = breadthFirst(trie, width.all, index);
  const elisions = elisionsOf(elided, order);
  const elidedNodes = gather(order, elisions.node, new Uint32Array(elisions.length));
  const fn = gather(trie.fn, order, new Uint32Array(trie.length));
  const ids = [fn, elisions.largest];
  const rename = (...all: Uint32Array[]) => usedFunctions(index, ...all);
  const all = cut && withAllFunctions(sumsOfAll(cut, values), ids, rename);
  const functions = all?.functions ?? rename(...ids);
  const columns = deriveColumns({
    firstChild: firstChildren(order, childCount),
    fn,
    line: gather(trie.line, order, new Int32Array(trie.length)),
    self: sums.map(({ self }) => gathered(self, order)),
    allFrames: all?.sums,
    scale,
    elisions: {
      ...elisions,
      values: sums.map((column) => gathered(column.elided, elidedNodes)),
      width: gathered(width.elided, elidedNodes),
    },
  });
  return { ...columns, functions, valueType };
}

/** A column of values as doubles. A table that is used again may have longer columns than it has stacks. */
function numbers(values: ValueColumn, { length }: StackTable): Float64Array {
  if (values instanceof Float64Array) return values.subarray(0, length);
  const column = new Float64Array(length);
  for (let stack = 0; stack < length; stack++) column[stack] = Number(values[stack]);
  return column;
}

/** The index with one function for those of several columns where only their files differ, as those of two builds do. */
function matchedFunctions(stacks: StackTable, index: FunctionIndex): FunctionIndex {
  return stacks.values.reduce(
    (earlier, _, column) => (column === 0 ? earlier : matchedWith(stacks, earlier, column)),
    index,
  );
}

/** The functions of a column matched with those of the columns before it. */
function matchedWith(
  { start, frame, length, values }: StackTable,
  index: FunctionIndex,
  column: number,
): FunctionIndex {
  const sides = new Uint8Array(index.count);
  const earlier = values.slice(0, column);
  for (let stack = 0; stack < length; stack++) {
    const isBefore = earlier.some((each) => Number(each[stack]) !== 0);
    const mask = (isBefore ? side.before : 0) | (Number(values[column][stack]) === 0 ? 0 : side.after);
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

function sumsOfAll(cut: CutStacks, values: readonly Float64Array[]) {
  const places = placesInAll(cut);
  return values.map((column) => stackTotals(cut, column, places));
}

/** The size of each stack, by which stacks are chosen if not all fit; 0 for a stack that no column has. */
function magnitudes(columns: readonly Float64Array[]): Float64Array {
  const sums = new Float64Array(columns[0].length);
  for (const values of columns)
    for (let stack = 0; stack < sums.length; stack++) sums[stack] += Math.abs(values[stack]);
  return sums;
}

/** By node of the trie: its self value, and the value of the frames that were elided below it. */
interface Sums {
  readonly self: Float64Array;
  readonly elided: Float64Array;
}

function sumsOf(values: Float64Array, nodeOf: Int32Array, nodes: number): Sums {
  const self = new Float64Array(nodes);
  const elided = new Float64Array(nodes);
  for (let stack = 0; stack < nodeOf.length; stack++) {
    const node = nodeOf[stack];
    if (node >= 0) self[node] += values[stack];
    else elided[~node] += values[stack];
  }
  return { self, elided };
}

/** Widths of the frames elided below each node: negative values have none. */
function positiveElided(values: Float64Array, nodeOf: Int32Array, nodes: number): Float64Array {
  const width = new Float64Array(nodes);
  for (let stack = 0; stack < nodeOf.length; stack++) {
    const node = nodeOf[stack];
    if (node < 0 && values[stack] > 0) width[~node] += values[stack];
  }
  return width;
}

/** Widths of the nodes of the trie with those below, and of the frames elided below each. @param elided of a single column */
function widthsOf(
  { length, parent }: Trie,
  sums: readonly Sums[],
  scale: Scale,
  elided: Float64Array | undefined,
) {
  const widest = widestValues(sums, { scale });
  const all = elided?.slice() ?? widest.self;
  if (elided === undefined) {
    for (let node = 0; node < length; node++) all[node] += widest.elided[node];
    return { all: addSubtrees(all, parent), elided: widest.elided };
  }
  for (let node = length - 1; node >= 0; node--) {
    all[node] += widest.self[node];
    if (node > 0) all[parent[node]] += all[node];
  }
  return { all, elided };
}

/** @param order the nodes of the trie in the order of the tree */
function elisionsOf(elided: ElidedByNode, order: Uint32Array): Omit<ElidedFrames, "values" | "width"> {
  const node =
    elided.size === 0
      ? new Uint32Array(0)
      : Uint32Array.from(order.keys()).filter((at) => elided.has(order[at]));
  const rows = Array.from(node, (at) => elided.get(order[at])!);
  return {
    length: rows.length,
    node,
    count: Float64Array.from(rows, (row) => row.count),
    largest: Uint32Array.from(rows, (row) => row.largest),
  };
}

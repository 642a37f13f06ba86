/**
 * Sums by function over all frames of a graph, for trees that have only the widest of them. They come from the larger tree that a tree
 * was cut from, or from the stacks where no tree has all of their frames.
 */
import { isWaitingPackage, packagesOfFunctions, type ValueColumn } from "@flamekeep/profile";
import type { CutStacks } from "./build-trie.ts";
import type { AllFrames, FunctionTable } from "./call-tree.ts";
import { truncatedFunction } from "./function-index.ts";

/** The packages of functions in order of first use, and the number of each function's: the root's is 0, the first one's 1. */
export function packagesOf({ packageName, length }: Pick<FunctionTable, "packageName" | "length">) {
  const ids = new Map<string, number>();
  const ofFunction = new Uint32Array(length);
  for (let fn = 1; fn < length; fn++) {
    const id = ids.get(packageName[fn]) ?? ids.size + 1;
    ids.set(packageName[fn], id);
    ofFunction[fn] = id;
  }
  return { names: [...ids.keys()], ofFunction };
}

/**
 * The functions of a tree that was cut, with those that only its missing frames have, and the sums by their new ids.
 *
 * @param rename gives the functions new ids and rewrites the columns to them
 */
export function withAllFunctions<T extends readonly AllFrames[]>(
  sums: T,
  columns: readonly Uint32Array[],
  rename: (...columns: Uint32Array[]) => FunctionTable,
): { readonly functions: FunctionTable; readonly sums: T } {
  const { frames } = sums[0];
  const used = Uint32Array.from(frames.keys()).filter((fn) => frames[fn] > 0);
  const place = used.slice();
  const functions = rename(...columns, place);
  const moved = <C extends Float64Array | Uint32Array>(from: C, to: C): C => {
    for (let row = 0; row < used.length; row++) to[place[row]] = from[used[row]];
    return to;
  };
  const { length } = functions;
  const movedSums = sums.map((each) => ({
    self: moved(each.self, new Float64Array(length)),
    selfByOwner: moved(each.selfByOwner, new Float64Array(length)),
    total: moved(each.total, new Float64Array(length)),
    frames: moved(each.frames, new Uint32Array(length)),
    ofPackage: moved(each.ofPackage, new Float64Array(length)),
  }));
  return { functions, sums: movedSums as readonly AllFrames[] as T };
}

/** Sums one column of the stacks by function and by package. `places` are the same for every column. */
export function stackTotals(cut: CutStacks, values: ValueColumn, places: Uint32Array): AllFrames {
  const { stacks, index, truncated } = cut;
  const { start, frame, length } = stacks;
  const packageName = packagesOfFunctions(index.name, index.file);
  const { names, ofFunction } = packagesOf({ length: index.count, packageName });
  const waits = packageName.map(isWaitingPackage);
  const column = () => new Float64Array(index.count);
  const sums = { self: column(), selfByOwner: column(), total: column() };
  const packages = new Float64Array(names.length + 1);
  // The last stack that each was counted for, so that recursion counts once.
  const countedFn = new Int32Array(index.count).fill(-1);
  const countedPackage = new Int32Array(names.length + 1).fill(-1);
  const add = (fn: number, stack: number, value: number) => {
    if (countedFn[fn] === stack) return;
    countedFn[fn] = stack;
    sums.total[fn] += value;
    const id = ofFunction[fn];
    if (id === 0 || countedPackage[id] === stack) return;
    countedPackage[id] = stack;
    packages[id] += value;
  };
  for (let stack = 0; stack < length; stack++) {
    const value = Number(values[stack]);
    if (value === 0) continue;
    const [leaf, end] = [start[stack], start[stack + 1]];
    add(0, stack, value);
    if (truncated?.[stack] === 1) add(truncatedFunction, stack, value);
    for (let at = leaf; at < end; at++) add(index.ofFrame[frame[at]], stack, value);
    const functionAt = (at: number) => (at === end ? 0 : index.ofFrame[frame[at]]);
    let owner = leaf;
    while (owner < end - 1 && waits[functionAt(owner)]) owner++;
    sums.self[functionAt(leaf)] += value;
    sums.selfByOwner[functionAt(owner)] += value;
  }
  const ofPackage = Float64Array.from(ofFunction, (id) => packages[id]);
  return { ...sums, frames: places, ofPackage };
}

/**
 * The frames of each function that a tree of all stacks has. Those in the trie are counted there. The others begin where a stack leaves
 * the trie: with the stacks sorted, each new frame is one beyond what its stack has in common with the one before.
 */
export function placesInAll(cut: CutStacks): Uint32Array {
  const { stacks, index, truncated, trie, nodeOf } = cut;
  const { start, frame } = stacks;
  const places = new Uint32Array(index.count);
  const depth = new Uint32Array(trie.length);
  for (let node = 0; node < trie.length; node++) {
    if (node > 0) depth[node] = depth[trie.parent[node]] + 1;
    places[trie.fn[node]]++;
  }
  const elided = Uint32Array.from(nodeOf.keys()).filter((stack) => nodeOf[stack] < 0);
  /** Function at a depth of a stack, counted from the root; -1 beyond its leaf. */
  const functionAt = (stack: number, level: number): number => {
    const isTruncated = truncated?.[stack] === 1;
    if (isTruncated && level === 1) return truncatedFunction;
    const at = start[stack + 1] - level + Number(isTruncated);
    return at < start[stack] ? -1 : index.ofFrame[frame[at]];
  };
  elided.sort((a, b) => {
    const node = ~nodeOf[a];
    if (nodeOf[a] !== nodeOf[b]) return node - ~nodeOf[b];
    for (let level = depth[node] + 1; ; level++) {
      const [one, other] = [functionAt(a, level), functionAt(b, level)];
      if (one !== other) return one - other;
      if (one === -1) return 0;
    }
  });
  for (const [row, stack] of elided.entries()) {
    let level = depth[~nodeOf[stack]] + 1;
    const before = row === 0 ? undefined : elided[row - 1];
    if (before !== undefined && nodeOf[before] === nodeOf[stack]) {
      while (functionAt(stack, level) !== -1 && functionAt(stack, level) === functionAt(before, level))
        level++;
    }
    for (let fn = functionAt(stack, level); fn !== -1; fn = functionAt(stack, ++level)) places[fn]++;
  }
  return places;
}

import type { StackTable, ValueType } from "@flamekeep/profile";
import { type CallTree, noElisions } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { type FunctionIndex, indexFunctions, truncatedFunction, usedFunctions } from "./function-index.ts";
import { Trie } from "./trie.ts";
import { truncatedStacks } from "./truncated.ts";

/**
 * Call tree of one sample type: frames with the same function name under the same parent are one node. Stacks whose
 * value is 0 are left out. Stacks that a Go profiler cut (see `truncatedStacks`) hang below one `[truncated]` frame, so that
 * what they happen to begin with does not stand among true roots. No recursion: a stack may be as deep as it likes.
 *
 * @param sampleType index into `stacks.sampleTypes`
 */
export function buildCallTree(stacks: StackTable, sampleType: number): CallTree {
  const valueType = stacks.sampleTypes[sampleType];
  if (valueType === undefined) throw new RangeError(`no sample type ${sampleType}`);
  const index = indexFunctions(stacks.frames);
  const trie = plant(stacks, sampleType, index);
  const { order, childCount } = breadthFirst(trie, index.rank);
  const length = trie.length;
  const firstChild = new Uint32Array(length + 1);
  const fn = new Uint32Array(length);
  const line = new Int32Array(length);
  const self = new Float64Array(length);
  const ownSamples = new Float64Array(length);
  let next = Math.min(1, length);
  for (let node = 0; node < length; node++) {
    const planted = order[node]!;
    firstChild[node] = next;
    next += childCount[planted]!;
    fn[node] = trie.fn[planted]!;
    line[node] = trie.line[planted]!;
    self[node] = trie.self[planted]!;
    ownSamples[node] = trie.ownSamples[planted]!;
  }
  firstChild[length] = next;
  const functions = usedFunctions(index, fn);
  const columns = deriveColumns({ firstChild, fn, line, self, ownSamples, elisions: noElisions });
  return { ...columns, functions, valueType };
}

function plant(stacks: StackTable, sampleType: number, index: FunctionIndex): Trie {
  const values = stacks.values[sampleType]!;
  const counts = countsBeside(stacks, sampleType);
  const trie = new Trie(Math.min(stacks.frame.length + 1, 1 << 16));
  const { start, frame, frames } = stacks;
  const truncated = truncatedStacks(stacks);
  for (let stack = 0; stack < stacks.length; stack++) {
    const value = Number(values[stack]);
    if (value === 0) continue;
    const leaf = start[stack]!;
    let node = truncated?.[stack] === 1 ? trie.child(0, truncatedFunction, 0) : 0;
    for (let at = start[stack + 1]! - 1; at >= leaf; at--) {
      const id = frame[at]!;
      node = trie.child(node, index.ofFrame[id]!, frames.line[id]!);
    }
    trie.self[node] = trie.self[node]! + value;
    trie.ownSamples[node] = trie.ownSamples[node]! + (counts === undefined ? 1 : Number(counts[stack]));
  }
  return trie;
}

/** Go pairs each measured type with a count; the type names are those runtime/pprof writes. */
const countOf: Readonly<Record<string, string>> = {
  cpu: "samples",
  delay: "contentions",
  alloc_space: "alloc_objects",
  inuse_space: "inuse_objects",
};

/** Name of the sample type (unit count) that counts the samples of another; undefined where that counts itself. */
export function countTypeOf({ type, unit }: ValueType): string | undefined {
  return unit === "count" ? undefined : countOf[type];
}

function countsBeside(stacks: StackTable, sampleType: number) {
  const valueType = stacks.sampleTypes[sampleType]!;
  if (valueType.unit === "count") return stacks.values[sampleType];
  const name = countTypeOf(valueType);
  const beside = stacks.sampleTypes.findIndex((other) => other.unit === "count" && other.type === name);
  return beside === -1 ? undefined : stacks.values[beside];
}

/** Breadth-first order of the planted nodes, siblings by width descending, then by name. */
function breadthFirst(trie: Trie, rank: Uint32Array) {
  const { length, parent, fn } = trie;
  const width = new Float64Array(length);
  const childCount = new Uint32Array(length);
  for (let node = length - 1; node >= 0; node--) {
    width[node] = width[node]! + Math.max(0, trie.self[node]!);
    if (node === 0) break;
    const above = parent[node]!;
    width[above] = width[above]! + width[node]!;
    childCount[above] = childCount[above]! + 1;
  }
  const wideFirst = (a: number, b: number) => width[b]! - width[a]! || rank[fn[a]!]! - rank[fn[b]!]!;
  const { children, childStart } = childLists(parent, childCount, length);
  const order = new Uint32Array(length);
  for (let head = 0, tail = 1; head < tail; head++) {
    const node = order[head]!;
    const list = children.subarray(childStart[node], childStart[node + 1]);
    if (list.length > 1) list.sort(wideFirst);
    order.set(list, tail);
    tail += list.length;
  }
  return { order, childCount };
}

function childLists(parent: Int32Array, childCount: Uint32Array, length: number) {
  const childStart = new Uint32Array(length + 1);
  for (let node = 0; node < length; node++) childStart[node + 1] = childStart[node]! + childCount[node]!;
  const cursor = childStart.slice();
  const children = new Uint32Array(Math.max(0, length - 1));
  for (let node = 1; node < length; node++) {
    const above = parent[node]!;
    children[cursor[above]!] = node;
    cursor[above] = cursor[above]! + 1;
  }
  return { children, childStart };
}

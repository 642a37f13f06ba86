import { countColumn, type StackTable } from "@flamekeep/profile";
import { buildTrie, type CutFrames, elisionsOf } from "./build-trie.ts";
import { type CallTree, noElisions } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { indexFunctions, usedFunctions } from "./function-index.ts";
import type { Trie } from "./trie.ts";

/** Twice the largest trees seen in practice; no screen shows a hundredth of it, and each node takes 100 bytes. */
const nodesMax = 1 << 21;

/**
 * Call tree of one sample type: frames with the same function name under the same parent are one node. Stacks whose
 * value is 0 are left out; their samples count as the root's own. Stacks that a Go profiler cut (see `truncatedStacks`) hang below one `[truncated]` frame, so that
 * their first frames do not appear as true roots. No recursion: stacks may be of any depth.
 *
 * If the stacks need more than `maxNodes` nodes, the widest are used; frames of the others that are not among theirs are
 * counted as elided.
 *
 * @param sampleType index into `stacks.sampleTypes`
 */
export function buildCallTree(stacks: StackTable, sampleType: number, maxNodes = nodesMax): CallTree {
  const valueType = stacks.sampleTypes[sampleType];
  if (valueType === undefined) throw new RangeError(`no sample type ${sampleType}`);
  const index = indexFunctions(stacks.frames);
  const counts = stacks.values[countColumn(stacks.sampleTypes, sampleType)];
  const { trie, cut } = buildTrie(stacks, { values: stacks.values[sampleType], counts, index, maxNodes });
  const { order, childCount } = breadthFirst(trie, cut, index.name);
  const length = trie.length;
  const firstChild = new Uint32Array(length + 1);
  const fn = new Uint32Array(length);
  const line = new Int32Array(length);
  const self = new Float64Array(length);
  const selfSamples = new Float64Array(length);
  let next = Math.min(1, length);
  for (let node = 0; node < length; node++) {
    const trieNode = order[node];
    firstChild[node] = next;
    next += childCount[trieNode];
    fn[node] = trie.fn[trieNode];
    line[node] = trie.line[trieNode];
    self[node] = trie.self[trieNode];
    selfSamples[node] = trie.selfSamples[trieNode];
  }
  firstChild[length] = next;
  const elisions = cut.size === 0 ? noElisions : elisionsOf(cut, order);
  const functions = usedFunctions(index, fn, elisions.largest);
  const columns = deriveColumns({ firstChild, fn, line, self, selfSamples, elisions });
  return { ...columns, functions, valueType };
}

/** Breadth-first order of the nodes of the trie, siblings by width descending, then by name. */
function breadthFirst(trie: Trie, cut: CutFrames, name: readonly string[]) {
  const { length, parent, fn } = trie;
  const width = new Float64Array(length);
  const childCount = new Uint32Array(length);
  for (const [node, frames] of cut) width[node] = frames.width;
  for (let node = length - 1; node >= 0; node--) {
    width[node] += Math.max(0, trie.self[node]);
    if (node === 0) break;
    const above = parent[node];
    width[above] += width[node];
    childCount[above]++;
  }
  const isBefore = (a: number, b: number) =>
    width[a] > width[b] || (width[a] === width[b] && name[fn[a]] < name[fn[b]]);
  const { children, childStart } = childLists(parent, childCount, length);
  const order = new Uint32Array(length);
  for (let head = 0, tail = 1; head < tail; head++) {
    const from = childStart[order[head]];
    const to = childStart[order[head] + 1];
    if (to - from > 1) sortRange(children, from, to, isBefore);
    for (let at = from; at < to; at++) order[tail++] = children[at];
  }
  return { order, childCount };
}

/** Up to this length an insertion sort is faster. */
const shortList = 16;

function sortRange(
  list: Uint32Array,
  from: number,
  to: number,
  isBefore: (a: number, b: number) => boolean,
): void {
  if (to - from > shortList) {
    list.subarray(from, to).sort((a, b) => (isBefore(a, b) ? -1 : 1));
    return;
  }
  for (let next = from + 1; next < to; next++) {
    const moving = list[next];
    let at = next;
    for (; at > from && isBefore(moving, list[at - 1]); at--) list[at] = list[at - 1];
    list[at] = moving;
  }
}

function childLists(parent: Int32Array, childCount: Uint32Array, length: number) {
  const childStart = new Uint32Array(length + 1);
  for (let node = 0; node < length; node++) childStart[node + 1] = childStart[node] + childCount[node];
  const cursor = childStart.slice();
  const children = new Uint32Array(Math.max(0, length - 1));
  for (let node = 1; node < length; node++) {
    const above = parent[node];
    children[cursor[above]] = node;
    cursor[above]++;
  }
  return { children, childStart };
}

import { countColumn, type StackTable } from "@flamekeep/profile";
import { placesInAll, stackTotals, withAllFunctions } from "./all-frames.ts";
import { breadthFirst, firstChildren } from "./breadth-first.ts";
import { buildTrie, type ElidedByNode, elisionsOf } from "./build-trie.ts";
import { type CallTree, noElisions } from "./call-tree.ts";
import { deriveColumns } from "./derive.ts";
import { byFrame, indexFunctions, usedFunctions } from "./function-index.ts";
import type { Trie } from "./trie.ts";

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
  const valueType = stacks.sampleTypes[sampleType];
  if (valueType === undefined) throw new RangeError(`no sample type ${sampleType}`);
  const index = byFrame(indexFunctions(stacks.frames), stacks.frames);
  const counts = stacks.values[countColumn(stacks.sampleTypes, sampleType)];
  const values = stacks.values[sampleType];
  const nodeOf = new Int32Array(stacks.length);
  const { trie, elided, cut } = buildTrie(stacks, { values, counts, index, maxNodes, nodeOf });
  const { order, childCount } = breadthFirst(trie, widthsOf(trie, elided), index);
  const length = trie.length;
  const fn = new Uint32Array(length);
  const line = new Int32Array(length);
  const self = new Float64Array(length);
  const selfSamples = new Float64Array(length);
  for (let node = 0; node < length; node++) {
    const trieNode = order[node];
    fn[node] = trie.fn[trieNode];
    line[node] = trie.line[trieNode];
    self[node] = trie.self[trieNode];
    selfSamples[node] = trie.selfSamples[trieNode];
  }
  const firstChild = firstChildren(order, childCount);
  const elisions = elided.size === 0 ? noElisions : elisionsOf(elided, order);
  const columns = { firstChild, fn, line, self, selfSamples, elisions };
  if (cut === undefined) {
    const functions = usedFunctions(index, fn, elisions.largest);
    return { ...deriveColumns(columns), functions, valueType };
  }
  const all = [stackTotals(cut, values, placesInAll(cut))] as const;
  const { functions, sums } = withAllFunctions(all, [fn, elisions.largest], (...ids) =>
    usedFunctions(index, ...ids),
  );
  return { ...deriveColumns(columns), functions, valueType, allFrames: sums[0] };
}

/** Widths of the nodes of the trie: their self width and that of the nodes below. */
function widthsOf({ length, parent, self }: Trie, elided: ElidedByNode): Float64Array {
  const width = new Float64Array(length);
  for (const [node, frames] of elided) width[node] = frames.width;
  for (let node = length - 1; node >= 0; node--) {
    width[node] += Math.max(0, self[node]);
    if (node > 0) width[parent[node]] += width[node];
  }
  return width;
}

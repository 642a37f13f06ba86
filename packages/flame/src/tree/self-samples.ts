import type { CallTree } from "./call-tree.ts";

/** Samples that end in each node: its samples without the samples of its children and of elided frames below it. */
export function selfSamples(tree: CallTree): Float64Array {
  const self = tree.samples.slice();
  for (let node = 1; node < tree.length; node++) {
    const above = tree.parent[node];
    self[above] = self[above] - tree.samples[node];
  }
  const { elisions } = tree;
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    self[node] = self[node] - elisions.samples[row];
  }
  return self;
}

import type { ReadLimits } from "#model/limits.ts";
import type { Profile } from "#model/profile.ts";
import { StackLines } from "#write/stack-lines.ts";
import { CallTree } from "./call-tree.ts";
import { isObject, type JsonObject, listOr, objectIn, positiveIn } from "./json-text.ts";
import { v8Frame } from "./v8-calls.ts";

/**
 * `.heapprofile` of V8: of Node.js (`--heap-prof`) and Chrome's developer tools. Sampled allocations that are still in use, by the
 * function that made them. (Chrome DevTools Protocol, HeapProfiler.SamplingHeapProfile.)
 */
export function isHeapProfile(json: JsonObject): boolean {
  return isObject(json.head) && "callFrame" in json.head;
}

export function readHeapProfile(json: JsonObject, limits: ReadLimits): Profile {
  const stacks = new StackLines(1, limits);
  const tree = new CallTree(stacks, 1, limits);
  const sizes = sizesOfSamples(json.samples);
  const waiting = [{ node: objectIn(json.head, "head"), parent: -1, isRoot: true }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, parent, isRoot } = next;
    const call = tree.call(stacks.frame(v8Frame(node)), parent);
    const size = node.selfSize ?? sizes.get(node.id) ?? 0;
    tree.add(call, 0, positiveIn(size, "selfSize"));
    for (const child of listOr(node.children))
      waiting.push({ node: objectIn(child, "children"), parent: isRoot ? -1 : call, isRoot: false });
  }
  tree.write({}, [1]);
  return stacks.profile([{ type: "inuse_space", unit: "bytes" }], { defaultSampleType: "inuse_space" });
}

/** For trees without sizes. */
function sizesOfSamples(samples: unknown): Map<unknown, number> {
  const sizes = new Map<unknown, number>();
  for (const sample of listOr(samples)) {
    const { nodeId, size } = objectIn(sample, "samples");
    sizes.set(nodeId, (sizes.get(nodeId) ?? 0) + positiveIn(size, "samples.size"));
  }
  return sizes;
}

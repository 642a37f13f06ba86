import type { CallTree } from "#tree/call-tree.ts";
import { nodeAtRef, nodeRefOf } from "./node-ref.ts";
import { functionRef } from "./selected-function.ts";

/** A tree or a comparison, with names. */
export type NamedFrames = Pick<CallTree, "firstChild" | "parent" | "fn" | "line" | "functions">;

/** The way down to a frame by function and line. It finds the frame again in a tree whose siblings have another order. */
export type FramePath = readonly { readonly ref: string; readonly line: number }[];

/** The path of a reference; undefined if the tree has no such node. */
export function framePathAt(frames: NamedFrames, ref: string): FramePath | undefined {
  const node = nodeAtRef(frames, ref);
  if (nodeRefOf(frames, node) !== ref) return undefined;
  const path: FramePath[number][] = [];
  for (let at = node; at > 0; at = frames.parent[at])
    path.push({ ref: functionRef(frames.functions, frames.fn[at]), line: frames.line[at] });
  return path.reverse();
}

/** Reference of the frame at the path, or of its deepest ancestor that exists in the tree. */
export function refAtFramePath(frames: NamedFrames, path: FramePath): string {
  const { firstChild, fn, functions, line } = frames;
  let node = 0;
  for (const frame of path) {
    const end = firstChild[node + 1];
    let child = firstChild[node];
    while (child < end && (line[child] !== frame.line || functionRef(functions, fn[child]) !== frame.ref))
      child++;
    if (child === end) break;
    node = child;
  }
  return nodeRefOf(frames, node);
}

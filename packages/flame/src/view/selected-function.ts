import { functionKey } from "@flamekeep/profile";
import type { CallTree, FunctionTable, TreeValue } from "#tree/call-tree.ts";
import { type FlameView, widestPlace } from "./flame-view.ts";
import { nodeAtRef, nodeRefOf } from "./node-ref.ts";

/** The text by which links refer to a function: its `functionKey`. */
export function functionRef({ name, file, startLine }: FunctionTable, fn: number): string {
  return functionKey(name[fn], file[fn], startLine[fn]);
}

/**
 * Id of the function that a text refers to, or -1: by its reference, else the first one with the name, or with the name and file, else the
 * first one that is stored with the name. Neither the root nor no name is a function.
 */
export function functionNamed({ functions }: Pick<CallTree, "functions">, ref: string): number {
  if (ref === "") return -1;
  const { name, length } = functions;
  for (let fn = 1; fn < length; fn++)
    if (ref.startsWith(name[fn]) && functionRef(functions, fn) === ref) return fn;
  const named = name.indexOf(ref, 1);
  if (named !== -1) return named;
  const placed = functionInFile(functions, ref);
  return placed !== -1 ? placed : (functions.storedNames?.findIndex((names) => names.includes(ref)) ?? -1);
}

/** The function of `handler (/app/src/cart.js)`: in that file, else the first one with the name. -1 for a text without a file. */
function functionInFile(functions: FunctionTable, text: string): number {
  const { name, file } = /^(?<name>.*) \((?<file>[^()]*)\)$/su.exec(text)?.groups ?? {};
  if (name === undefined || file === undefined) return -1;
  const { startLine, length } = functions;
  for (let fn = 1; fn < length; fn++)
    if (functions.name[fn] === name && functionRef(functions, fn) === functionKey(name, file, startLine[fn]))
      return fn;
  return functions.name.indexOf(name, 1);
}

/** The node that fills the width in a view. */
export function zoomedNode(tree: CallTree, view: Pick<FlameView, "zoom" | "selectedFunction">): number {
  if (view.zoom !== widestPlace) return nodeAtRef(tree, view.zoom);
  return Math.max(0, widestOf(tree, functionNamed(tree, view.selectedFunction)));
}

/** The widest node of a function, the first of equally wide ones; -1 if it has none. */
function widestOf({ fn, length, width }: CallTree, of: number): number {
  let widest = -1;
  for (let node = 1; node < length; node++) {
    if (fn[node] === of && (widest === -1 || width[node] > width[widest])) widest = node;
  }
  return widest;
}

/** A function summed over all its places. */
export interface FunctionPlaces {
  readonly count: number;
  readonly self: TreeValue;
  /** A place below another one is in its total, and not added again. */
  readonly total: TreeValue;
}

/** Sums the places of a function in one pass down the columns, or takes the sums over all frames. */
export function placesOf(
  { fn, length, parent, columns }: Pick<CallTree, "fn" | "length" | "parent" | "columns">,
  of: number,
  column = 0,
): FunctionPlaces {
  const { self, total, allFrames } = columns[column];
  if (allFrames !== undefined && of > 0)
    return { count: allFrames.frames[of], self: allFrames.self[of], total: allFrames.total[of] };
  const isInside = new Uint8Array(length);
  const sum = { count: 0, self: 0, total: 0 };
  for (let node = 1; node < length; node++) {
    const isBelow = isInside[parent[node]];
    if (fn[node] !== of) {
      isInside[node] = isBelow;
      continue;
    }
    isInside[node] = 1;
    sum.count++;
    sum.self += self[node];
    if (isBelow === 1) continue;
    sum.total += total[node];
  }
  return sum;
}

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

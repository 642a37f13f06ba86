import { dropEmpty } from "#transform/engine/empty.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { regroup } from "#transform/engine/regroup.ts";
import type { FunctionTable } from "#tree/call-tree.ts";

/** A function that calls itself is one frame. Every function keeps its self value and its total. */
export function collapse(frames: Frames): Frames {
  const { length, parent, fn } = frames;
  const host = new Int32Array(length);
  const shownAs = functionOfRows(frames.functions);
  for (let node = 1; node < length; node++)
    host[node] = shownAs[fn[node]] === shownAs[fn[parent[node]]] ? host[parent[node]] : node;
  return regroup(frames, { host });
}

/** By row: the first one of the same function, where rows are frames. */
function functionOfRows({ name, file, startLine, frames, length }: FunctionTable): ArrayLike<number> {
  if (frames === undefined) return Uint32Array.from({ length }, (_, fn) => fn);
  const first = new Map<string, number>();
  return Uint32Array.from({ length }, (_, row) => {
    const key = JSON.stringify([name[row], file[row], startLine[row]]);
    const fn = first.get(key) ?? row;
    first.set(key, fn);
    return fn;
  });
}

/**
 * Merges every frame of a function into its outermost one, also if it calls itself through other functions. All functions keep their self
 * values, and this one its total. The functions in between lose the stacks in which it is called again.
 */
export function collapseThrough(frames: Frames, isMember: Uint8Array): Frames {
  const { length, parent, fn } = frames;
  const host = new Int32Array(length);
  /** The outermost frame of the function above or at each node, else -1. */
  const top = new Int32Array(length).fill(-1);
  for (let node = 1; node < length; node++) {
    const outer = top[parent[node]];
    const is = isMember[fn[node]] === 1;
    host[node] = is && outer !== -1 ? outer : node;
    top[node] = is && outer === -1 ? node : outer;
  }
  return regroup(frames, { host: dropEmpty(frames, host) });
}

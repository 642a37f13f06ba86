import { truncatedName } from "@flamekeep/profile";
import { subsystemOf } from "#colour/subsystem.ts";
import { climb } from "#transform/engine/climb.ts";
import type { Frames } from "#transform/engine/frames.ts";
import { regroup } from "#transform/engine/regroup.ts";
import type { FunctionTable } from "#tree/call-tree.ts";
import { totalsOf } from "#tree/derive.ts";
import { placeElisions } from "#tree/lay-out.ts";

/** Without the frames of the functions: their callees move to their callers, and their self values too. As `-hide` of pprof. */
export function hide(frames: Frames, isMember: Uint8Array): Frames {
  const { length, parent, fn } = frames;
  const host = new Int32Array(length);
  for (let node = 1; node < length; node++) host[node] = isMember[fn[node]] === 1 ? host[parent[node]] : node;
  return regroup(frames, { host });
}

/** Only the frames of the functions, each below the next one above it. `[truncated]` stays. As `-show` of pprof. */
export function show(frames: Frames, isMember: Uint8Array): Frames {
  const { name } = frames.functions;
  return hide(
    frames,
    isMember.map((is, fn) => Number(is === 0 && name[fn] !== truncatedName)),
  );
}

/** Only stacks with one of the functions, whole. As `-focus` of pprof. */
export function focus(frames: Frames, isMember: Uint8Array): Frames {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  const isValueDropped = new Uint8Array(places.length);
  for (let node = 0; node < places.length; node++) {
    host[node] = places[node] === place.elsewhere && node > 0 ? -1 : node;
    isValueDropped[node] = Number(places[node] < place.outermost);
  }
  return regroup(frames, { host, isValueDropped });
}

/** Only stacks without any of the functions. Frames that only led to them are dropped too. As `-ignore` of pprof. */
export function ignore(frames: Frames, isMember: Uint8Array): Frames {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  for (let node = 0; node < host.length; node++) host[node] = places[node] >= place.outermost ? -1 : node;
  return regroup(frames, { host: dropEmpty(frames, host) });
}

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

/** Without the frames of the language's runtime, for example of its memory management. */
export function hideRuntime(frames: Frames): Frames {
  return hide(frames, inSubsystem(frames, "runtime"));
}

/** Only the frames of the program itself: neither the standard library nor third-party libraries. */
export function myCode(frames: Frames): Frames {
  return show(frames, inSubsystem(frames, "application"));
}

function inSubsystem({ functions }: Frames, subsystem: "runtime" | "application"): Uint8Array {
  const { length, name, packageName, file } = functions;
  return Uint8Array.from({ length }, (_, fn) =>
    Number(fn > 0 && name[fn] !== truncatedName && subsystemOf(packageName[fn], file[fn]) === subsystem),
  );
}

/** Upside down: below the root the functions by their self value, below each the functions that called it. */
export function invert(frames: Frames): Frames {
  const { length, self, selfWidth, elisions } = frames;
  const hasSelf = new Uint8Array(length);
  for (const column of self)
    for (let node = 0; node < length; node++) if (column[node] !== 0) hasSelf[node] = 1;
  const nodes: number[] = [];
  for (let node = 0; node < length; node++) if (hasSelf[node] === 1) nodes.push(node);
  // The elided functions are unknown, so nobody can say whose self values they are.
  const rest = placeElisions(elisions, new Int32Array(length));
  return climb(frames, { nodes: Uint32Array.from(nodes), values: self, width: selfWidth }, rest);
}

/** Both sides of functions: all frames below the root are the same in both, and have the same totals. */
interface Sandwich {
  /** root, the functions, then those that called them. */
  readonly callers: Frames;
  /** root, the functions, then what they called. */
  readonly callees: Frames;
}

/** All places of the functions as one. A stack counts once, at the outermost of its places: recursion is among the callees. */
export function sandwich(frames: Frames, isMember: Uint8Array): Sandwich {
  const places = placesAround(frames, isMember);
  const host = new Int32Array(places.length);
  const isValueDropped = new Uint8Array(places.length);
  for (let node = 0; node < places.length; node++) {
    const isInside = places[node] >= place.outermost;
    host[node] = isInside ? node : 0;
    isValueDropped[node] = Number(!isInside);
  }
  return { callers: callersOf(frames, places), callees: regroup(frames, { host, isValueDropped }) };
}

function callersOf(frames: Frames, places: Uint8Array): Frames {
  const { parent, self, selfWidth, elisions } = frames;
  const nodes: number[] = [];
  for (let node = 0; node < places.length; node++) if (places[node] === place.outermost) nodes.push(node);
  return climb(frames, {
    nodes: Uint32Array.from(nodes),
    values: self.map((column, at) => totalsOf(column, parent, elisions, elisions.values[at])),
    width: totalsOf(selfWidth, parent, elisions, elisions.width),
  });
}

/** Drops the staying nodes that have no values left, neither self values nor below. Changes `host`; the root stays. */
function dropEmpty({ length, parent, self, elisions }: Frames, host: Int32Array): Int32Array {
  const isLeft = new Uint8Array(length);
  isLeft[0] = 1;
  for (const column of self)
    for (let node = 1; node < length; node++)
      if (column[node] !== 0 && host[node] !== -1) isLeft[host[node]] = 1;
  for (const node of elisions.node) if (host[node] !== -1) isLeft[host[node]] = 1;
  for (let node = length - 1; node > 0; node--)
    if (host[node] === node && isLeft[node] === 1) isLeft[host[parent[node]]] = 1;
  for (let node = 1; node < length; node++) if (host[node] === node && isLeft[node] === 0) host[node] = -1;
  return host;
}

/** A node in relation to the frames of some functions. */
const place = { elsewhere: 0, above: 1, outermost: 2, below: 3 } as const;

/** Place of each node: the outermost frames of the functions, those below, those with one below, and all others. */
function placesAround({ length, parent, fn }: Frames, isMember: Uint8Array): Uint8Array {
  const places = new Uint8Array(length);
  for (let node = 1; node < length; node++) {
    if (places[parent[node]] >= place.outermost) places[node] = place.below;
    else if (isMember[fn[node]] === 1) places[node] = place.outermost;
  }
  for (let node = length - 1; node > 0; node--) {
    if (places[node] !== place.elsewhere && places[parent[node]] === place.elsewhere)
      places[parent[node]] = place.above;
  }
  return places;
}

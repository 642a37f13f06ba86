import { isFunctionBefore, sortRange } from "#tree/breadth-first.ts";
import { summed } from "#tree/columns.ts";
import { parentsOf } from "#tree/derive.ts";
import { placeElisions } from "#tree/lay-out.ts";
import type { Frames } from "./frames.ts";
import { Groups } from "./groups.ts";

/**
 * The new place of each node: its self values go to `host`, an ancestor or the node itself. A node that is its own host stays as a frame.
 * Its children are the staying nodes whose parents have it as a host; those with the same function become one frame.
 *
 * ```
 *   root ─ main ─ json.Decode ─ json.value ─ app.Item         hide json.*:   root ─ main ─ app.Item
 *   host   main   main          main         app.Item
 * ```
 */
interface Regrouping {
  /** By node, -1 for nodes that are dropped. The root stays, and with a node stays the host of its parent. */
  readonly host: Int32Array;
  /** 1 for nodes whose self values are dropped; none if left out. */
  readonly isValueDropped?: Uint8Array;
}

/** Applies a regrouping. The result is in breadth-first order, widest siblings first. Returns the same frames if nothing changes. */
export function regroup(frames: Frames, regrouping: Regrouping): Frames {
  if (isIdentity(frames, regrouping)) return frames;
  const children = contract(frames, regrouping);
  const width = widthsOf(frames, regrouping);
  const { length, firstChild, place } = merge(frames, children, width);
  const parent = parentsOf(firstChild, length);
  return {
    ...columnsOf(frames, regrouping, place, length),
    length,
    functions: frames.functions,
    firstChild,
    parent,
    scale: frames.scale,
  };
}

function isIdentity({ length, self, elisions }: Frames, { host, isValueDropped }: Regrouping): boolean {
  for (let node = 0; node < length; node++) if (host[node] !== node) return false;
  if (isValueDropped === undefined) return true;
  for (const column of self)
    for (let node = 0; node < length; node++)
      if (isValueDropped[node] === 1 && column[node] !== 0) return false;
  return !elisions.node.some((node) => isValueDropped[node] === 1);
}

/** The staying nodes as lists of children, before any are merged. */
interface Children {
  /** Offsets into `list`: children of node i are start[i] .. start[i + 1] - 1. */
  readonly start: Uint32Array;
  readonly list: Uint32Array;
  /** 1 for nodes that took over others: their children may have the same function twice. */
  readonly isMixed: Uint8Array;
}

function contract({ length, parent }: Frames, { host }: Regrouping): Children {
  // A counting sort. The counts go to start[node + 2]. After the prefix sum, start[node + 1] is where the next child of a node is written,
  // and once all are written, start[node] is where its list begins.
  const start = new Uint32Array(length + 2);
  const isMixed = new Uint8Array(length);
  for (let node = 1; node < length; node++) {
    const at = host[node];
    if (at === node) {
      const above = host[parent[node]] + 2;
      start[above]++;
    } else if (at !== -1) isMixed[at] = 1;
  }
  for (let node = 2; node < start.length; node++) start[node] = start[node] + start[node - 1];
  const list = new Uint32Array(start[length + 1]);
  for (let node = 1; node < length; node++) {
    if (host[node] !== node) continue;
    const above = host[parent[node]] + 1;
    list[start[above]] = node;
    start[above]++;
  }
  return { start, list, isMixed };
}

/** Widths of the staying nodes with everything below them. */
function widthsOf(frames: Frames, { host, isValueDropped }: Regrouping): Float64Array {
  const { length, parent, elisions, selfWidth } = frames;
  const width = new Float64Array(length);
  for (let node = 0; node < length; node++) {
    const at = host[node];
    if (at !== -1 && isValueDropped?.[node] !== 1) width[at] += selfWidth[node];
  }
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    const at = host[node];
    if (at !== -1 && isValueDropped?.[node] !== 1) width[at] += elisions.width[row];
  }
  for (let node = length - 1; node > 0; node--) {
    if (host[node] !== node) continue;
    const above = host[parent[node]];
    width[above] += width[node];
  }
  return width;
}

interface Merged {
  readonly length: number;
  readonly firstChild: Uint32Array;
  /** Frame of each staying node, else -1. */
  readonly place: Int32Array;
}

/** Walks down from the root, a frame at a time. A frame is a list of nodes; their children with the same function are the next frame. */
function merge(frames: Frames, { start, list, isMixed }: Children, width: Float64Array): Merged {
  const { fn, functions } = frames;
  const place = new Int32Array(frames.length).fill(-1);
  const nodes = new Uint32Array(list.length + 1);
  const firstNode = new Uint32Array(list.length + 2);
  const firstChild = new Uint32Array(list.length + 2);
  const groups = new Groups(functions, frames.length);
  const isBefore = isWiderOrEarlier(frames, width);
  place[0] = 0;
  firstNode[1] = 1;
  let length = 1;
  let used = 1;
  for (let frame = 0; frame < length; frame++) {
    firstChild[frame] = length;
    const from = firstNode[frame];
    const to = firstNode[frame + 1];
    const only = nodes[from];
    if (to - from === 1 && (isMixed[only] === 0 || start[only + 1] - start[only] < 2)) {
      sortIfNeeded(list, start[only], start[only + 1], isBefore);
      for (let at = start[only]; at < start[only + 1]; at++) {
        const child = list[at];
        place[child] = length;
        nodes[used++] = child;
        length++;
        firstNode[length] = used;
      }
      continue;
    }
    for (let each = from; each < to; each++)
      for (let at = start[nodes[each]]; at < start[nodes[each] + 1]; at++)
        groups.add(list[at], fn[list[at]], width[list[at]]);
    if (groups.length === 0) continue;
    const sorted = groups.sorted();
    for (let at = 0; at < groups.length; at++) {
      const group = sorted[at];
      for (let child = groups.first(group); child !== -1; child = groups.next(child)) {
        place[child] = length;
        nodes[used++] = child;
      }
      length++;
      firstNode[length] = used;
    }
    groups.clear();
  }
  firstChild[length] = length;
  return { length, firstChild: firstChild.slice(0, length + 1), place };
}

function isWiderOrEarlier({ fn, functions }: Frames, width: Float64Array) {
  return (a: number, b: number) =>
    width[a] > width[b] ||
    (width[a] === width[b] && fn[a] !== fn[b] && isFunctionBefore(functions, fn[a], fn[b]));
}

/** Most lists keep their order. */
function sortIfNeeded(
  list: Uint32Array,
  from: number,
  to: number,
  isBefore: (a: number, b: number) => boolean,
): void {
  for (let at = from + 1; at < to; at++) {
    if (!isBefore(list[at], list[at - 1])) continue;
    sortRange(list, from, to, isBefore);
    return;
  }
}

/** Self values, lines and elisions of the merged frames. */
function columnsOf(frames: Frames, regrouping: Regrouping, place: Int32Array, length: number) {
  const { host, isValueDropped } = regrouping;
  const valuePlace = new Int32Array(frames.length);
  for (let node = 0; node < frames.length; node++)
    valuePlace[node] = host[node] === -1 || isValueDropped?.[node] === 1 ? -1 : place[host[node]];
  const added = (column: Float64Array) => summed(column, valuePlace, length);
  const fn = new Uint32Array(length);
  const line = new Int32Array(length).fill(-1);
  for (let node = 0; node < frames.length; node++) {
    const at = place[node];
    if (at === -1) continue;
    fn[at] = frames.fn[node];
    const called = frames.line[node];
    line[at] = line[at] === -1 || line[at] === called ? called : 0;
  }
  const self = frames.self.map(added);
  // A tree without negative values has the width of its values, in the same array.
  const same = frames.self.indexOf(frames.selfWidth);
  return {
    fn,
    line,
    self,
    selfWidth: self[same] ?? added(frames.selfWidth),
    elisions: placeElisions(frames.elisions, valuePlace),
  };
}

import { gathered } from "#tree/columns.ts";
import type { Frames } from "./frames.ts";
import { Groups } from "./groups.ts";

/** Steps of width for each halving: frames of one step are as good as equally wide. */
const stepsPerHalving = 8;
/** Narrower ones than a millionth of a millionth of the first are in the last step. */
const steps = 40 * stepsPerHalving;

/**
 * Frames in buckets by width, the widest bucket first; the order within a bucket is not defined. Frames are never wider than the last one
 * taken, so it only moves on. Takes the same time for each frame, unlike the exact `WidthHeap`, whose order a tree of callers does not need.
 */
class WidthBuckets {
  readonly #width: Float64Array;
  /** By step: the first of its frames, else -1. */
  readonly #first = new Int32Array(steps + 1).fill(-1);
  /** By frame: the next one of its step, else -1. */
  readonly #next: Int32Array;
  #step = 0;

  /** @param width of the first frame and of frames that are pushed later, which are never wider than the last one taken */
  constructor(width: Float64Array) {
    this.#width = width;
    this.#next = new Int32Array(width.length);
  }

  push(frame: number): void {
    const share = this.#width[0] / this.#width[frame];
    const step = Math.max(this.#step, Math.min(steps, Math.floor(Math.log2(share) * stepsPerHalving) || 0));
    this.#next[frame] = this.#first[step];
    this.#first[step] = frame;
  }

  /** The next frame, or -1. */
  pop(): number {
    while (this.#step < steps && this.#first[this.#step] === -1) this.#step++;
    const frame = this.#first[this.#step];
    if (frame !== -1) this.#first[this.#step] = this.#next[frame];
    return frame;
  }
}

/** Nodes at which stacks begin, and values of their stacks, by node. */
export interface Starts {
  readonly nodes: Uint32Array;
  readonly values: readonly Float64Array[];
  readonly width: Float64Array;
}

/** Callers elided above each frame, by frame. */
export interface ElidedCallers {
  readonly hasElided: Uint8Array;
  /** A caller of several stacks counts once for each. */
  readonly count: Float64Array;
  readonly largest: Uint32Array;
  readonly values: readonly Float64Array[];
  readonly width: Float64Array;
}

/**
 * The tree of callers while it grows, widest frames first. Each frame has the stacks that lead to it as a range of `#stack`; one step sorts
 * them by the function that called it.
 */
export class CallerTree {
  length = 1;
  readonly parent: Int32Array;
  readonly fn: Uint32Array;
  readonly line: Int32Array;
  readonly width: Float64Array;
  /** Values of the stacks that end at each frame. */
  readonly self: readonly Float64Array[];
  readonly selfWidth: Float64Array;
  readonly elided: ElidedCallers;
  readonly #source: Frames;
  readonly #starts: Starts;
  readonly #level: Int32Array;
  readonly #maxFrames: number;
  #isFull = false;
  readonly #groups: Groups;
  /** The stacks, grouped by the frame that they have reached: where they start, which node is next (0 at the end), and their width. */
  readonly #start: Uint32Array;
  readonly #next: Uint32Array;
  readonly #stackWidth: Float64Array;
  readonly #sorted: { readonly start: Uint32Array; readonly next: Uint32Array; readonly width: Float64Array };
  /** By frame: its stacks. */
  readonly #from: Uint32Array;
  readonly #to: Uint32Array;

  constructor(source: Frames, starts: Starts, maxFrames: number) {
    const { nodes } = starts;
    this.#source = source;
    this.#starts = starts;
    this.#level = levelsOf(source.parent);
    let most = 1;
    for (let stack = 0; stack < nodes.length; stack++) most += this.#level[nodes[stack]];
    const size = Math.min(maxFrames, most);
    this.#maxFrames = size;
    this.parent = new Int32Array(size);
    this.fn = new Uint32Array(size);
    this.line = new Int32Array(size);
    this.width = new Float64Array(size);
    this.selfWidth = new Float64Array(size);
    this.self = starts.values.map(() => new Float64Array(size));
    this.elided = {
      hasElided: new Uint8Array(size),
      count: new Float64Array(size),
      largest: new Uint32Array(size),
      values: starts.values.map(() => new Float64Array(size)),
      width: new Float64Array(size),
    };
    this.#groups = new Groups(source.functions, nodes.length);
    this.#start = nodes.slice();
    this.#next = nodes.slice();
    this.#stackWidth = gathered(starts.width, nodes);
    this.#sorted = {
      start: new Uint32Array(nodes.length),
      next: new Uint32Array(nodes.length),
      width: new Float64Array(nodes.length),
    };
    this.#from = new Uint32Array(size);
    this.#to = new Uint32Array(size);
    this.parent[0] = -1;
    this.#to[0] = nodes.length;
    for (const width of this.#stackWidth) this.width[0] = this.width[0] + width;
  }

  grow(): void {
    const open = new WidthBuckets(this.width);
    open.push(0);
    for (let frame = open.pop(); frame !== -1; frame = open.pop()) {
      const from = this.length;
      this.#expand(frame);
      for (let added = from; added < this.length; added++) open.push(added);
    }
  }

  #expand(frame: number): void {
    if (this.#to[frame] - this.#from[frame] === 1) {
      this.#follow(frame, this.#from[frame]);
      return;
    }
    const { fn } = this.#source;
    const groups = this.#groups;
    for (let stack = this.#from[frame]; stack < this.#to[frame]; stack++) {
      const next = this.#next[stack];
      if (next === 0) this.#end(frame, stack);
      else groups.add(stack, fn[next], this.#stackWidth[stack]);
    }
    if (groups.length === 0) return;
    // A narrower frame with fewer callers could still fit, but would be shown in place of a wider one.
    this.#isFull ||= this.length + groups.length > this.#maxFrames;
    if (this.#isFull) this.#elideAbove(frame);
    else this.#addCallers(frame);
    groups.clear();
  }

  #end(frame: number, stack: number): void {
    const { values } = this.#starts;
    for (let column = 0; column < values.length; column++) {
      const self = this.self[column];
      self[frame] += values[column][this.#start[stack]];
    }
    this.selfWidth[frame] = this.selfWidth[frame] + this.#stackWidth[stack];
  }

  #addCallers(frame: number): void {
    const groups = this.#groups;
    const { parent, line } = this.#source;
    const { start, next, width } = this.#sorted;
    const first = this.#from[frame];
    let to = first;
    for (let group = 0; group < groups.length; group++) {
      const added = this.length++;
      this.parent[added] = frame;
      this.fn[added] = groups.functionOf(group);
      this.width[added] = groups.widthOf(group);
      this.#from[added] = to;
      let common = line[this.#next[groups.first(group)]];
      for (let stack = groups.first(group); stack !== -1; stack = groups.next(stack)) {
        const node = this.#next[stack];
        if (line[node] !== common) common = 0;
        start[to] = this.#start[stack];
        next[to] = parent[node];
        width[to++] = this.#stackWidth[stack];
      }
      this.line[added] = common;
      this.#to[added] = to;
    }
    for (let stack = first; stack < to; stack++) {
      this.#start[stack] = start[stack];
      this.#next[stack] = next[stack];
      this.#stackWidth[stack] = width[stack];
    }
  }

  /** The only stack of a frame needs no sorting. */
  #follow(frame: number, stack: number): void {
    const { fn, line, parent } = this.#source;
    const node = this.#next[stack];
    if (node === 0) {
      this.#end(frame, stack);
      return;
    }
    this.#isFull ||= this.length >= this.#maxFrames;
    if (this.#isFull) {
      this.elided.largest[frame] = fn[node];
      this.#elideStack(frame, stack);
      return;
    }
    const added = this.length++;
    this.parent[added] = frame;
    this.fn[added] = fn[node];
    this.line[added] = line[node];
    this.width[added] = this.#stackWidth[stack];
    this.#from[added] = stack;
    this.#to[added] = stack + 1;
    this.#next[stack] = parent[node];
  }

  /** Counts the callers above a frame instead of adding them. */
  #elideAbove(frame: number): void {
    const groups = this.#groups;
    let widest = 0;
    for (let group = 0; group < groups.length; group++) {
      if (groups.widthOf(group) > groups.widthOf(widest)) widest = group;
      for (let stack = groups.first(group); stack !== -1; stack = groups.next(stack))
        this.#elideStack(frame, stack);
    }
    this.elided.largest[frame] = groups.functionOf(widest);
  }

  #elideStack(frame: number, stack: number): void {
    const { hasElided, count, values, width } = this.elided;
    hasElided[frame] = 1;
    count[frame] = count[frame] + this.#level[this.#next[stack]];
    width[frame] = width[frame] + this.#stackWidth[stack];
    for (let column = 0; column < values.length; column++) {
      const sums = values[column];
      sums[frame] += this.#starts.values[column][this.#start[stack]];
    }
  }
}

function levelsOf(parent: Int32Array): Int32Array {
  const level = new Int32Array(parent.length);
  for (let node = 1; node < level.length; node++) level[node] = level[parent[node]] + 1;
  return level;
}

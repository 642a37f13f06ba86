import type { StackTable } from "@flamekeep/profile";
import { grown } from "./columns.ts";
import { type FunctionIndex, truncatedFunction } from "./function-index.ts";
import { truncatedStacks } from "./truncated.ts";

/** Slots probed before a collision attack is assumed. */
const probesMax = 48;

/**
 * Prefix tree under construction: nodes in order of creation, so a parent comes before its children, found by
 * (parent, function) in an open-addressing table. Node 0 is the root.
 *
 * The hash is not secret, so a sender could make many nodes collide; those that find no slot near theirs go to a Map by text,
 * whose hash the runtime keeps secret.
 */
export class Trie {
  length = 1;
  parent: Int32Array;
  fn: Uint32Array;
  line: Int32Array;
  #slots: Int32Array;
  readonly #nodesMax: number;
  readonly #overflow = new Map<string, number>();

  /** `nodesMax`: the most nodes. */
  constructor(capacity: number, nodesMax: number) {
    this.#nodesMax = nodesMax;
    const size = Math.max(16, capacity);
    this.parent = new Int32Array(size);
    this.fn = new Uint32Array(size);
    this.line = new Int32Array(size);
    this.#slots = emptySlots(size);
    this.parent[0] = -1;
  }

  /** Child of `parent` for a function, created if it is missing; -1 if the trie is full. If the line differs from the stored one, the stored line becomes 0. */
  child(parent: number, fn: number, line: number): number {
    const mask = this.#slots.length - 1;
    const first = slotOf(parent, fn);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (first + probe) & mask;
      const node = this.#slots[slot];
      if (node === -1) return this.#add(slot, parent, fn, line);
      if (this.parent[node] === parent && this.fn[node] === fn) return this.#agreeOnLine(node, line);
    }
    const node = this.#overflow.get(`${parent} ${fn}`);
    return node === undefined ? this.#add(-1, parent, fn, line) : this.#agreeOnLine(node, line);
  }

  #agreeOnLine(node: number, line: number): number {
    if (this.line[node] !== line) this.line[node] = 0;
    return node;
  }

  /** @param slot -1 for the overflow */
  #add(slot: number, parent: number, fn: number, line: number): number {
    if (this.length >= this.#nodesMax) return -1;
    if (this.length === this.parent.length) {
      this.#grow();
      return this.child(parent, fn, line);
    }
    const node = this.length++;
    if (slot === -1) this.#overflow.set(`${parent} ${fn}`, node);
    else this.#slots[slot] = node;
    this.parent[node] = parent;
    this.fn[node] = fn;
    this.line[node] = line;
    return node;
  }

  #grow(): void {
    const size = this.parent.length * 2;
    this.parent = grown(this.parent, new Int32Array(size));
    this.fn = grown(this.fn, new Uint32Array(size));
    this.line = grown(this.line, new Int32Array(size));
    this.#slots = emptySlots(size);
    this.#overflow.clear();
    for (let node = 1; node < this.length; node++) this.#place(node);
  }

  #place(node: number): void {
    const parent = this.parent[node];
    const fn = this.fn[node];
    const mask = this.#slots.length - 1;
    const first = slotOf(parent, fn);
    for (let probe = 0; probe < probesMax; probe++) {
      const slot = (first + probe) & mask;
      if (this.#slots[slot] !== -1) continue;
      this.#slots[slot] = node;
      return;
    }
    this.#overflow.set(`${parent} ${fn}`, node);
  }
}

/** At most half full. */
function emptySlots(nodes: number): Int32Array {
  return new Int32Array(2 ** Math.ceil(Math.log2(nodes * 2))).fill(-1);
}

function slotOf(parent: number, fn: number): number {
  const mixed = Math.imul(parent, 0x9e3779b1) ^ Math.imul(fn + 1, 0x85ebca6b);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

interface TrieInput {
  /** The size of each stack; 0 for one without a value. */
  readonly values: Float64Array;
  readonly index: FunctionIndex;
  readonly maxNodes: number;
  /** Receives the node of each stack: `node` where its last frame is, `~node` where its frames are elided; 0 for a stack without a value. */
  readonly nodeOf: Int32Array;
}

interface BuilderInput extends TrieInput {
  /** 1 for each stack that hangs below `[truncated]`. */
  readonly truncated: Uint8Array | undefined;
}

/** The frames that exceed the limit of nodes, by the node above them. */
export type ElidedByNode = ReadonlyMap<number, Readonly<ElidedRow>>;

interface ElidedRow {
  /** Frames of all stacks; a frame shared by several stacks counts once for each. */
  count: number;
  /** Outermost function of the first stack that was elided here. */
  readonly largest: number;
}

/** Stacks and the trie that some of their frames did not fit into. */
export interface CutStacks {
  readonly stacks: StackTable;
  readonly index: FunctionIndex;
  /** 1 for each stack that hangs below `[truncated]`. */
  readonly truncated: Uint8Array | undefined;
  readonly trie: Trie;
  /** As in the input of `buildTrie`. */
  readonly nodeOf: Int32Array;
}

/** A trie of all stacks, or of the widest of them if all have more than `maxNodes` nodes: then `cut` says which frames are missing. */
export function buildTrie(
  stacks: StackTable,
  input: TrieInput,
): { readonly trie: Trie; readonly elided: ElidedByNode; readonly cut: CutStacks | undefined } {
  const truncated = truncatedStacks(stacks);
  const plan = { ...input, truncated };
  const all = new TrieBuilder(stacks, plan);
  for (let stack = 0; stack < stacks.length && all.elided.size === 0; stack++) all.add(stack);
  if (all.elided.size === 0) return { trie: all.trie, elided: all.elided, cut: undefined };
  const widest = new TrieBuilder(stacks, plan);
  for (const stack of widestFirst(input.values)) widest.add(stack);
  const { trie, elided } = widest;
  return { trie, elided, cut: { stacks, index: input.index, truncated, trie, nodeOf: input.nodeOf } };
}

function widestFirst(width: Float64Array): Uint32Array {
  return Uint32Array.from(width, (_, stack) => stack).sort((a, b) => width[b] - width[a] || a - b);
}

/** Profiles of services have thousands of nodes; a table for more is slower, because it does not fit the caches. */
const nodesExpected = 1 << 13;

class TrieBuilder {
  readonly trie: Trie;
  readonly elided = new Map<number, ElidedRow>();
  readonly #stacks: StackTable;
  readonly #input: BuilderInput;
  readonly #path = new LastPath();

  constructor(stacks: StackTable, plan: BuilderInput) {
    this.trie = new Trie(Math.min(stacks.frame.length + 1, nodesExpected), plan.maxNodes);
    this.#stacks = stacks;
    this.#input = plan;
  }

  add(stack: number): void {
    const { values, index, truncated, nodeOf } = this.#input;
    if (values[stack] === 0) return;
    const trie = this.trie;
    const path = this.#path;
    const { start, frame, frames } = this.#stacks;
    const leaf = start[stack];
    const root = start[stack + 1] - 1;
    const top = truncated?.[stack] === 1 ? trie.child(0, truncatedFunction, 0) : 0;
    if (top === -1) {
      this.#elideAt(stack, 0, truncatedFunction, root + 2 - leaf);
      return;
    }
    const shared = path.shared(top, frame, leaf, root);
    let node = shared === 0 ? top : path.node[shared - 1];
    for (let at = root - shared, depth = shared; at >= leaf; at--, depth++) {
      const id = frame[at];
      const child = trie.child(node, index.ofFrame[id], frames.line[id]);
      if (child === -1) {
        path.length = depth;
        this.#elideAt(stack, node, index.ofFrame[id], at + 1 - leaf);
        return;
      }
      node = child;
      path.frame[depth] = id;
      path.node[depth] = node;
    }
    path.length = root + 1 - leaf;
    nodeOf[stack] = node;
  }

  #elideAt(stack: number, node: number, fn: number, frames: number): void {
    const { nodeOf } = this.#input;
    nodeOf[stack] = ~node;
    const row = this.elided.get(node) ?? { count: 0, largest: fn };
    row.count += frames;
    this.elided.set(node, row);
  }
}

/** The frames of the previous stack, root first, and their nodes. Neighbouring stacks often begin alike: those frames need no look-up. */
class LastPath {
  length = 0;
  frame = new Uint32Array(256);
  node = new Uint32Array(256);
  #top = 0;

  /** How many frames the stack `frame[leaf] .. frame[root]` below node `top` has in common. Makes room for the others. */
  shared(top: number, frame: Uint32Array, leaf: number, root: number): number {
    const depth = root + 1 - leaf;
    if (depth > this.frame.length) {
      this.frame = grown(this.frame, new Uint32Array(2 * depth));
      this.node = grown(this.node, new Uint32Array(2 * depth));
    }
    const most = top === this.#top ? Math.min(depth, this.length) : 0;
    this.#top = top;
    let same = 0;
    while (same < most && this.frame[same] === frame[root - same]) same++;
    return same;
  }
}

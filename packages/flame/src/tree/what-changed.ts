import { type Fraction, isWaitingType, truncatedName } from "@flamekeep/profile";
import { type CallTree, pathTo, type TreeValue } from "./call-tree.ts";
import { type ChangeKind, selfByNode } from "./function-totals.ts";

/** A function whose self value differs between the first and the last column of a comparison. */
export interface ChangedFunction {
  readonly fn: number;
  /** Self values as measured. Those of types that wait belong to the function that waits. */
  readonly before: TreeValue;
  readonly after: TreeValue;
  /** The scaled difference. */
  readonly change: number;
  /** Size of the difference as a part of `WhatChanged.whole`. */
  readonly share: Fraction;
  /** `new` and `gone` functions have frames on one side only. */
  readonly kind: Exclude<ChangeKind, "same">;
  /** The frame whose self value changed most in the same direction; -1 where the tree was cut and has none. */
  readonly place: number;
}

export interface WhatChanged {
  /** All that changed, the largest difference first, equal ones by name. */
  readonly functions: readonly ChangedFunction[];
  /** Sum of the sizes of all differences, scaled: growth and decline add up instead of cancelling. */
  readonly whole: number;
  readonly explanation: Explanation;
}

/** The first `count` functions are `share` of the whole change. */
export interface Explanation {
  readonly count: number;
  readonly share: Fraction;
}

/** A function explains a change where its difference is this part of it. */
const explainingFrom = 0.05;
/** More functions than these explain nothing to a reader. */
const explainingMax = 5;

/**
 * The functions that explain a change: those whose difference is at least a twentieth of the whole change, at most the five largest. Differences
 * count by their size, so that a change that leaves the total as it was is explained like any other: 40 ms that moved from one function to another
 * are a change of 80 ms, and two functions explain 100% of it.
 *
 * @param sizes of the differences of all functions, largest first
 */
export function explanationOf(sizes: readonly number[]): Explanation {
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const explaining = sizes
    .slice(0, explainingMax)
    .filter((size) => size > 0 && size >= explainingFrom * whole);
  const sum = explaining.reduce((all, size) => all + size, 0);
  return { count: explaining.length, share: whole === 0 ? 0 : Math.min(1, sum / whole) };
}

/** All steps of `whatChangedSteps` at once. */
export function whatChanged(tree: CallTree, profileType: string): WhatChanged {
  const steps = whatChangedSteps(tree, profileType);
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

/**
 * Ranks the functions of a comparison by how much their self values changed. Functions that were renamed are two: one is gone, one is new. Yields
 * several times per millisecond, so that drawing can continue in the next frame.
 *
 * @param tree laid out at the scale at which values are compared
 */
export function* whatChangedSteps(tree: CallTree, profileType: string): Generator<void, WhatChanged> {
  const sums = yield* sumSteps(tree, profileType);
  const [before, after] = sums.sides;
  const { name } = tree.functions;
  const [left, right] = [tree.scale[0], tree.scale[tree.scale.length - 1]];
  const changes = name.map((_, fn) => difference(before.self[fn] * left, after.self[fn] * right));
  const order = [...changes.keys()].filter((fn) => changes[fn] !== 0 && isOfProgram(tree, fn));
  order.sort((a, b) => Math.abs(changes[b]) - Math.abs(changes[a]) || (name[a] < name[b] ? -1 : 1));
  yield;
  const sizes = order.map((fn) => Math.abs(changes[fn]));
  const whole = sizes.reduce((sum, size) => sum + size, 0);
  const functions = order.map((fn, at): ChangedFunction => {
    const change = changes[fn];
    const place = change > 0 ? sums.grew.place[fn] : sums.shrank.place[fn];
    const kind = before.isUsed[fn] === 0 ? "new" : after.isUsed[fn] === 0 ? "gone" : undefined;
    return {
      fn,
      before: before.self[fn],
      after: after.self[fn],
      change,
      share: sizes[at] / whole,
      kind: kind ?? (change > 0 ? "more" : "less"),
      place,
    };
  });
  return { functions, whole, explanation: explanationOf(sizes) };
}

/** Made once for the colours, their legend and the ranked functions. */
const changesOf = new WeakMap<CallTree, { readonly profileType: string; readonly changes: Float64Array }>();

/** The scaled difference of each frame's self values, which in types that wait belong to the frame that waits. */
export function selfChanges(tree: CallTree, profileType: string): Float64Array {
  const made = changesOf.get(tree);
  if (made?.profileType === profileType) return made.changes;
  const [before, after] = sidesOf(tree, profileType);
  const [left, right] = [tree.scale[0], tree.scale[tree.scale.length - 1]];
  const changes = new Float64Array(tree.length);
  for (let node = 0; node < tree.length; node++)
    changes[node] = difference(before[node] * left, after[node] * right);
  changesOf.set(tree, { profileType, changes });
  return changes;
}

function sidesOf(tree: CallTree, profileType: string): readonly [before: Float64Array, after: Float64Array] {
  const last = tree.columns.length - 1;
  return [selfByNode(tree, 0, profileType), selfByNode(tree, last, profileType)];
}

/** The functions from the outermost caller down to the caller of a frame. A function that calls itself is there once in a row. */
export function callersOf(tree: CallTree, node: number): number[] {
  const callers = pathTo(tree, node)
    .slice(1, -1)
    .map((each) => tree.fn[each]);
  return callers.filter((fn, at) => fn !== callers[at - 1]);
}

/** Sums of fractions that should be equal differ in the last bits. */
const roundingSlack = 1e-12;

function difference(before: number, after: number): number {
  const change = after - before;
  const largest = Math.max(Math.abs(before), Math.abs(after));
  return Math.abs(change) <= roundingSlack * largest ? 0 : change;
}

/** Neither the root nor the placeholder of truncated stacks. */
function isOfProgram({ functions }: CallTree, fn: number): boolean {
  return fn > 0 && functions.name[fn] !== truncatedName;
}

/** Sums of one side by function. */
interface SideSums {
  readonly self: Float64Array;
  /** 1 for functions with a value, their own or of what they call. */
  readonly isUsed: Uint8Array;
}

/** By function the frame with the largest difference in one direction. */
class LargestPlaces {
  readonly place: Int32Array;
  readonly #size: Float64Array;

  constructor(functions: number) {
    this.place = new Int32Array(functions).fill(-1);
    this.#size = new Float64Array(functions);
  }

  /** @param size 0 and negative ones are of the other direction */
  offer(fn: number, node: number, size: number): void {
    if (size <= this.#size[fn]) return;
    this.#size[fn] = size;
    this.place[fn] = node;
  }
}

const nodesPerStep = 32_768;

function* sumSteps(tree: CallTree, profileType: string) {
  const { columns, fn, functions, length } = tree;
  const last = columns.length - 1;
  const [selfBefore, selfAfter] = sidesOf(tree, profileType);
  const changes = selfChanges(tree, profileType);
  const [before, after] = [emptySums(functions.length), emptySums(functions.length)];
  const [grew, shrank] = [new LargestPlaces(functions.length), new LargestPlaces(functions.length)];
  for (let from = 1; from < length; from += nodesPerStep) {
    for (let node = from; node < Math.min(length, from + nodesPerStep); node++) {
      const of = fn[node];
      before.self[of] += selfBefore[node];
      after.self[of] += selfAfter[node];
      if (columns[0].total[node] !== 0) before.isUsed[of] = 1;
      if (columns[last].total[node] !== 0) after.isUsed[of] = 1;
      grew.offer(of, node, changes[node]);
      shrank.offer(of, node, -changes[node]);
    }
    yield;
  }
  const sides = [inAll(tree, before, 0, profileType), inAll(tree, after, last, profileType)] as const;
  return { sides, grew, shrank };
}

function emptySums(functions: number): SideSums {
  return { self: new Float64Array(functions), isUsed: new Uint8Array(functions) };
}

/** The sums over all frames of the graph, where the tree has only some of them. */
function inAll(tree: CallTree, sums: SideSums, column: number, profileType: string): SideSums {
  const { allFrames } = tree.columns[column];
  if (allFrames === undefined) return sums;
  const isUsed = Uint8Array.from(allFrames.total, (total) => Number(total !== 0));
  return { self: isWaitingType(profileType) ? allFrames.selfByOwner : allFrames.self, isUsed };
}

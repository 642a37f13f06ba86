import { breadthFirst, firstChildren } from "#tree/breadth-first.ts";
import { gather, gathered } from "#tree/columns.ts";
import type { ElidedFrames } from "#tree/derive.ts";
import { parentsOf } from "#tree/derive.ts";
import { CallerTree, type ElidedCallers, type Starts } from "./caller-tree.ts";
import type { Frames } from "./frames.ts";

/**
 * A caller tree can have as many frames as all stacks together. Up to 2^18 frames are built, and 2^16 if the source has more than 2^18,
 * which keeps the time about constant.
 */
function framesMaxOf({ length }: Frames): number {
  return length > 1 << 18 ? 1 << 16 : 1 << 18;
}

/**
 * The tree of callers: below the root the functions of the starts, below each function those that called it, up to the outermost one,
 * whose self values are those of the stacks that begin there. The widest frames come first: if there are more than `maxFrames`, the others
 * are counted as elided.
 *
 * @param rest elided frames of the source that belong below the root
 */
export function climb(
  frames: Frames,
  starts: Starts,
  rest?: ElidedFrames,
  maxFrames = framesMaxOf(frames),
): Frames {
  const callers = new CallerTree(frames, starts, maxFrames);
  callers.grow();
  const { length, parent, fn, line, width } = callers;
  const { order, childCount } = breadthFirst({ length, parent, fn }, width, frames.functions);
  const firstChild = firstChildren(order, childCount);
  return {
    length,
    functions: frames.functions,
    firstChild,
    parent: parentsOf(firstChild, length),
    fn: gather(fn, order, new Uint32Array(length)),
    line: gather(line, order, new Int32Array(length)),
    scale: frames.scale,
    self: callers.self.map((column) => gathered(column, order)),
    selfWidth: gathered(callers.selfWidth, order),
    elisions: elisionsOf(callers, order, rest),
  };
}

/** The elided callers, by the place of their frame in `order`. */
function elisionsOf(
  { elided }: CallerTree,
  order: Uint32Array,
  rest: ElidedFrames | undefined,
): ElidedFrames {
  if (rest !== undefined) addBelowRoot(elided, rest);
  const { hasElided, count, largest, values, width } = elided;
  const node = Uint32Array.from(order.keys()).filter((at) => hasElided[order[at]] === 1);
  const frames = gather(order, node, new Uint32Array(node.length));
  return {
    length: node.length,
    node,
    count: gathered(count, frames),
    largest: gather(largest, frames, new Uint32Array(node.length)),
    values: values.map((column) => gathered(column, frames)),
    width: gathered(width, frames),
  };
}

function addBelowRoot(elided: ElidedCallers, rest: ElidedFrames): void {
  for (let row = 0; row < rest.length; row++) {
    elided.hasElided[0] = 1;
    if (rest.width[row] >= elided.width[0]) elided.largest[0] = rest.largest[row];
    elided.count[0] = elided.count[0] + rest.count[row];
    elided.width[0] = elided.width[0] + rest.width[row];
    for (const [column, values] of elided.values.entries()) values[0] = values[0] + rest.values[column][row];
  }
}

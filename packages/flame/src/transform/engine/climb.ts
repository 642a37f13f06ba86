import { breadthFirst, firstChildren } from "#tree/breadth-first.ts";
import { parentsOf } from "#tree/derive.ts";
import { gather, gathered } from "#tree/gather.ts";
import { CallerTree, type Starts } from "./caller-tree.ts";
import { placeElisions } from "./elided.ts";
import type { ElidedFrames, Frames } from "./frames.ts";

/** A tree of callers can have as many frames as all stacks together; a screen shows a thousand. */
const framesMax = 1 << 18;

/**
 * The tree of callers: below the root the functions of the starts, below each function those that called it, up to the outermost one,
 * whose own values are those of the stacks that begin there. The widest frames come first: if there are more than `maxFrames`, the others
 * are counted as left out.
 *
 * @param rest frames left out of the source that belong below the root
 */
export function climb(frames: Frames, starts: Starts, rest?: ElidedFrames, maxFrames = framesMax): Frames {
  const callers = new CallerTree(frames, starts, maxFrames);
  callers.grow();
  const { length, parent, fn, line, width } = callers;
  const { order, childCount } = breadthFirst({ length, parent, fn }, width, frames.functions.name);
  const firstChild = firstChildren(order, childCount);
  return {
    length,
    functions: frames.functions,
    firstChild,
    parent: parentsOf(firstChild, length),
    fn: gather(fn, order, new Uint32Array(length)),
    line: gather(line, order, new Int32Array(length)),
    own: callers.own.map((column) => gathered(column, order)),
    ownWidth: gathered(callers.ownWidth, order),
    elisions: elisionsOf(callers, order, rest),
  };
}

function elisionsOf(
  { cut, cutValues, cutWidth, length }: CallerTree,
  order: Uint32Array,
  rest: ElidedFrames | undefined,
): ElidedFrames {
  const place = new Int32Array(length);
  for (let at = 0; at < length; at++) place[order[at]] = at;
  const both = (ofCut: readonly number[], ofRest: Iterable<number> = []) => [...ofRest, ...ofCut];
  const rows: ElidedFrames = {
    length: cut.node.length + (rest?.length ?? 0),
    node: Uint32Array.from(both(cut.node, rest?.node)),
    count: Float64Array.from(both(cut.count, rest?.count)),
    largest: Uint32Array.from(both(cut.largest, rest?.largest)),
    values: cutValues.map((column, at) => Float64Array.from(both(column, rest?.values[at]))),
    width: Float64Array.from(both(cutWidth, rest?.width)),
  };
  return placeElisions(rows, place);
}

import { type CallTree, wholeOf } from "#tree/call-tree.ts";
import type { FlameMeta } from "#wire/sections.ts";
import { toUtf8 } from "#wire/utf8.ts";
import { headFields } from "./flame-json.ts";
import { fullNames } from "./function-names.ts";

/**
 * The graph as JSON in UTF-8, in rows of numbers: a quarter of the nested text or less. Each row lists its frames from left to right, four numbers a frame:
 *
 * ```
 * {"names":["root","main","gc"],"levels":[[0,5,0,0],[0,3,3,1,0,2,2,2]],"elided":[]}
 *                                                    │ │ │ └ name, an index
 *                                                    │ │ └ self
 *                                                    │ └ total
 *                                                    └ distance from the end of the frame before it
 * ```
 *
 * `elided` has five numbers for each frame with callees that were left out: its row, its place in the row, their number, their total and
 * the name of the widest. They are never listed as a frame.
 */
export function levelsJson(tree: CallTree, meta: FlameMeta): Uint8Array {
  const { elisions, functions, levelStart } = tree;
  const levels = Array.from({ length: levelStart.length - 1 }, (_, level) => rowOf(tree, level));
  const elided: number[] = [];
  let level = 0;
  for (let row = 0; row < elisions.length; row++) {
    const node = elisions.node[row];
    while (levelStart[level + 1] <= node) level++;
    const place = node - levelStart[level];
    elided.push(level, place, elisions.count[row], elisions.total[row], elisions.largest[row]);
  }
  const graph = {
    ...headFields(tree, meta),
    whole: wholeOf(tree),
    names: fullNames(functions),
    levels,
    elided,
  };
  return toUtf8(JSON.stringify(graph));
}

function rowOf({ fn, levelStart, self, total, width, x }: CallTree, level: number): number[] {
  const row: number[] = [];
  let end = x[0];
  for (let node = levelStart[level]; node < levelStart[level + 1]; node++) {
    row.push(x[node] - end, total[node], self[node], fn[node]);
    end = x[node] + width[node];
  }
  return row;
}

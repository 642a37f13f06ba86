import { type CallTree, elisionOf, wholeOf } from "#tree/call-tree.ts";
import { formatPercent, formatValue } from "./format-value.ts";

/**
 * `1.2K small frames, 0.8%`: the frames in one box, because they are too narrow or were left out by the server. Of narrow siblings,
 * the frames below them are not counted.
 *
 * @param first first of the narrow siblings, or -1 where there are only frames that were left out
 */
export function runText(tree: CallTree, parent: number, first: number): string {
  const { elisions, firstChild, total } = tree;
  let count = 0;
  let value = 0;
  if (first !== -1) {
    const end = firstChild[parent + 1];
    count = end - first;
    for (let child = first; child < end; child++) value += total[child];
  }
  const row = elisionOf(tree, parent);
  if (row !== -1) {
    count += elisions.count[row];
    value += elisions.total[row];
  }
  const frames = count === 1 ? "1 small frame" : `${formatValue(count, "count")} small frames`;
  return `${frames}, ${formatPercent(value, wholeOf(tree))}`;
}

import { type CallTree, formatPercent, placesOf, wholeOf } from "@flamekeep/flame";
import { valueMeasure } from "#flame-graph/frame/frame-text.ts";
import { measureText } from "#format/measure.ts";

/** `total 3.4 s (34.2%), self 310 ms (3.1%)`: a function in all of its places, recursion counted once. */
export function functionSums(tree: CallTree, fn: number): string {
  const { self, total } = placesOf(tree, fn);
  const text = (value: number) =>
    `${measureText(valueMeasure(tree, value))} (${formatPercent(value, wholeOf(tree))})`;
  return `total ${text(total)}, self ${text(self)}`;
}

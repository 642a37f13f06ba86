import { type ComparedTree, comparedLines } from "@flamekeep/flame/compare";
import { saveLines } from "#flame-graph/export/save-graph.ts";

/** Folded stacks with the measured values before and after. False if the text would be too large. */
export function saveCompared(tree: ComparedTree, focus: number, name: string): boolean {
  return saveLines(name, comparedLines(tree, focus));
}

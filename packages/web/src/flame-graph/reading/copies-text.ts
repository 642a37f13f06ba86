import { copyCount, type FunctionTable, shownName } from "@flamekeep/flame";

/** Says that a function is the sum of copies that the graph can tell apart; empty where it is none. */
export function copiesText(functions: FunctionTable, fn: number): string {
  const count = copyCount(functions, fn);
  if (count === 1) return "";
  return `Sum of all ${count} copies of ${shownName(functions.name[fn]!)}; Transform, "By instantiation of generics" separates them`;
}

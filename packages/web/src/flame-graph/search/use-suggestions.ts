import { type CallTree, type FunctionTotals, functionTotals, suggestedFunctions } from "@flamekeep/flame";
import { useMemo } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";

const suggestionsMax = 8;

/** Totals by tree: they are needed only once somebody types. */
const totalsOf = new WeakMap<CallTree, FunctionTotals>();

export interface Suggestion {
  readonly fn: number;
  readonly total: number;
}

/** Functions for a text that somebody types, the largest first; none for no text. */
export function useSuggestions(tree: CallTree, text: string): readonly Suggestion[] {
  const hasAllFrames = useHasAllFrames();
  return useMemo(() => {
    if (text.trim() === "" || !hasAllFrames) return [];
    let totals = totalsOf.get(tree);
    if (totals === undefined) {
      totals = functionTotals(tree);
      totalsOf.set(tree, totals);
    }
    const { total } = totals;
    return suggestedFunctions(tree, totals, text, suggestionsMax).map((fn) => ({ fn, total: total[fn]! }));
  }, [tree, text, hasAllFrames]);
}

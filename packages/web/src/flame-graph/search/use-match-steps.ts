import { type CallTree, type SearchResult, widestMatches } from "@flamekeep/flame";
import { useRef } from "react";

/** Number of matches that next and previous reach. */
const matchesMax = 1000;

interface Walk {
  readonly search: SearchResult;
  /** Widest first. */
  readonly matches: readonly number[];
  place: number;
}

/** Cycles through the matches of a search, widest first. They are sorted at the first step, not while somebody types. */
export function useMatchSteps(
  tree: CallTree,
  search: SearchResult | null,
  onStep: (node: number) => void,
): (direction: 1 | -1) => void {
  const walk = useRef<Walk | null>(null);
  return (direction) => {
    if (search === null) return;
    if (walk.current?.search !== search) {
      const matches = widestMatches(tree, search, matchesMax);
      walk.current = { search, matches, place: direction === 1 ? -1 : 0 };
    }
    const { matches, place } = walk.current;
    if (matches.length === 0) return;
    const next = (place + direction + matches.length) % matches.length;
    walk.current.place = next;
    onStep(matches[next]!);
  };
}

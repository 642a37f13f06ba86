import { type CallTree, type SearchResult, widestMatches } from "@flamekeep/flame";
import { useMemo, useState } from "react";

/** Matches that can be walked through; beyond them a person narrows the search. */
const walkable = 1000;

/** Walks the matches of a search from the widest on, round and round. */
export function useMatchSteps(
  tree: CallTree,
  search: SearchResult | null,
  onStep: (node: number) => void,
): (direction: 1 | -1) => void {
  const [at, setAt] = useState<{ readonly search: SearchResult | null; readonly place: number }>({
    search: null,
    place: -1,
  });
  const matches = useMemo(
    () => (search === null ? [] : widestMatches(tree, search, walkable)),
    [tree, search],
  );
  return (direction) => {
    if (matches.length === 0) return;
    const place = at.search === search ? at.place : direction === 1 ? -1 : 0;
    const next = (place + direction + matches.length) % matches.length;
    setAt({ search, place: next });
    onStep(matches[next]!);
  };
}

import { type CallTree, matchesByWidth, type SearchResult, searchFunction } from "@flamekeep/flame";
import { useRef } from "react";
import type { Scene } from "#flame-graph/canvas/scene.ts";

/** Number of matches that next and previous reach. */
const matchesMax = 1000;

interface Walk {
  readonly search: SearchResult;
  /** Those found so far, widest first. */
  readonly matches: number[];
  readonly others: Iterator<number>;
  place: number;
}

/** Cycles through the matches of a search, widest first. Each is found when a step reaches it: a search can have a million. */
export function useMatchSteps(
  tree: CallTree,
  search: SearchResult | null,
  onStep: (node: number) => void,
): (direction: 1 | -1) => void {
  const walk = useRef<Walk | null>(null);
  return (direction) => {
    if (search !== null) walkOn(walk, tree, search, direction, onStep);
  };
}

/** Cycles through the places of a function, widest first. @param fn -1 for none */
function usePlaceSteps(
  tree: CallTree,
  fn: number,
  onStep: (node: number) => void,
): (direction: 1 | -1) => void {
  const found = useRef<{ readonly tree: CallTree; readonly fn: number; readonly places: SearchResult }>(null);
  const step = useRef<Walk | null>(null);
  return (direction) => {
    if (fn === -1) return;
    if (found.current?.tree !== tree || found.current.fn !== fn)
      found.current = { tree, fn, places: searchFunction(tree, fn) };
    walkOn(step, tree, found.current.places, direction, onStep);
  };
}

/** Goes on with a walk, or begins one. */
function walkOn(
  walk: { current: Walk | null },
  tree: CallTree,
  search: SearchResult,
  direction: 1 | -1,
  onStep: (node: number) => void,
): void {
  if (walk.current?.search !== search)
    walk.current = { search, matches: [], others: matchesByWidth(tree, search), place: -1 };
  const { matches, place } = walk.current;
  const isBackFromFirst = direction === -1 && place < 1;
  findMatches(walk.current, isBackFromFirst ? matchesMax : place + 2);
  if (matches.length === 0) return;
  const next = isBackFromFirst ? matches.length - 1 : (place + direction) % matches.length;
  walk.current.place = next;
  onStep(matches[next]!);
}

/** Finds further matches until there are this many, if there are. */
function findMatches({ matches, others }: Walk, count: number): void {
  while (matches.length < Math.min(count, matchesMax)) {
    const { value, done } = others.next();
    if (done === true) return;
    matches.push(value);
  }
}

/** Steps through the matches of the search, and through the places of the selected function, widest first. */
export function useVisits(
  { tree, search }: Pick<Scene, "tree" | "search">,
  selectedFn: number,
  searchText: string,
  onVisit: (node: number) => void,
) {
  return {
    stepMatch: useMatchSteps(tree, search?.query === searchText ? search : null, onVisit),
    stepPlace: usePlaceSteps(tree, selectedFn, onVisit),
  };
}

import { type CallTree, nameQuery, type SearchResult, searchSteps } from "@flamekeep/flame";
import { useEffect, useMemo, useState } from "react";

/** Time for searching within each animation frame. */
const budgetMs = 4;
/** Trees up to this size are searched synchronously, which takes a fraction of a millisecond. */
const nodesAtOnce = 20_000;

interface Found {
  readonly tree: CallTree;
  readonly result: SearchResult;
}

/**
 * Searches a tree, a large one over several animation frames. Returns the previous result of the same tree meanwhile.
 *
 * @returns null without a text, for an expression that cannot be read, and during the first search of a tree
 */
export function useSearch(tree: CallTree, query: string): SearchResult | null {
  // Half an expression finds nothing, but that says nothing about the functions: they must not look like those without a match.
  const text = useMemo(() => (nameQuery(query).error === "" ? query : ""), [query]);
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (text === "") {
      setFound(null);
      return;
    }
    const steps = searchSteps(tree, text);
    let frame = 0;
    const search = (untilMs: number) => {
      do {
        const step = steps.next();
        if (step.done === true) return setFound({ tree, result: step.value });
      } while (performance.now() < untilMs);
      frame = requestAnimationFrame(inNextFrame);
    };
    const inNextFrame = () => search(performance.now() + budgetMs);
    if (tree.length <= nodesAtOnce) search(Number.POSITIVE_INFINITY);
    else frame = requestAnimationFrame(inNextFrame);
    return () => cancelAnimationFrame(frame);
  }, [tree, text]);
  return text !== "" && found?.tree === tree ? found.result : null;
}

import { type CallTree, type SearchResult, searchSteps } from "@flamekeep/flame";
import { useEffect, useState } from "react";

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
 * @returns null without a text, and during the first search of a tree
 */
export function useSearch(tree: CallTree, text: string): SearchResult | null {
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

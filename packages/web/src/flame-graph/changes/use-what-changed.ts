import type { CallTree } from "@flamekeep/flame";
import { type WhatChanged, whatChanged, whatChangedSteps } from "@flamekeep/flame/compare";
import { useEffect, useMemo, useState } from "react";
import { nodesAtOnce, runInFrames } from "#flame-graph/canvas/in-frames.ts";

/**
 * The ranked changes of a comparison; of a large one after several animation frames.
 *
 * @param tree laid out at the scale at which values are compared
 */
export function useWhatChanged(tree: CallTree, profileType: string): WhatChanged | undefined {
  const isLarge = tree.length > nodesAtOnce;
  const atOnce = useMemo(
    () => (isLarge ? undefined : whatChanged(tree, profileType)),
    [isLarge, tree, profileType],
  );
  const [found, setFound] = useState<{ readonly tree: CallTree; readonly changes: WhatChanged }>();
  useEffect(() => {
    if (!isLarge) return;
    return runInFrames(whatChangedSteps(tree, profileType), false, (changes) => setFound({ tree, changes }));
  }, [isLarge, tree, profileType]);
  return atOnce ?? (found?.tree === tree ? found.changes : undefined);
}

import { isBelow } from "@flamekeep/flame";
import { useEffect, useEffectEvent, useState } from "react";
import { showToast } from "#ui/overlays/toast.ts";

export const changedText = "the graph has changed. Press R to refresh.";

interface Folded<T> {
  /** Reference of the frame on screen if frames below it can be loaded; empty if none can. */
  readonly foldedRef: (shown: T) => string;
  /** The graph with all frames below the one of the reference. */
  readonly withPart: (shown: T, ref: string, signal: AbortSignal) => Promise<T>;
}

interface Unfolded<T> {
  /** The graph as it was loaded first. */
  readonly source: T;
  readonly shown: T;
  /** References of the frames whose parts were loaded, whether or not that worked. */
  readonly loaded: readonly string[];
}

/** A graph with the parts of it that were loaded because somebody zoomed to them. */
export function usePartsBelow<T>(source: T | undefined, { foldedRef, withPart }: Folded<T>): T | undefined {
  const [kept, setKept] = useState<Unfolded<T>>();
  const current = kept?.source === source ? kept : undefined;
  const state = source === undefined ? undefined : (current ?? { source, shown: source, loaded: [] });
  const folded = state === undefined ? "" : foldedRef(state.shown);
  const ref = state?.loaded.includes(folded) ? "" : folded;
  // The callbacks of a page are new ones each time that it renders.
  const begin = useEffectEvent((signal: AbortSignal) => {
    if (ref === "" || state === undefined) return;
    // A part that is loaded later replaces those below it.
    const loaded = [...state.loaded.filter((each) => !isBelow(each, ref)), ref];
    withPart(state.shown, ref, signal).then(
      (shown) => {
        if (!signal.aborted) setKept({ source: state.source, shown, loaded });
      },
      (error: Error) => {
        if (signal.aborted) return;
        setKept({ ...state, loaded });
        showToast(`Could not load the small frames: ${error.message}`, "critical");
      },
    );
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another graph has to be unfolded, too
  useEffect(() => {
    const request = new AbortController();
    begin(request.signal);
    return () => request.abort();
  }, [ref, source]);
  return state?.shown;
}

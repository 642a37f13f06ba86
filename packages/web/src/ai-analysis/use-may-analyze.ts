import { useIsDemo, useMayChange } from "#session/session.ts";

/** Visitors of the demo may start analyses, and nothing else. */
export function useMayAnalyze(): boolean {
  const mayChange = useMayChange();
  return useIsDemo() || mayChange;
}

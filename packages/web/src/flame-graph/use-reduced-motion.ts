import { useSyncExternalStore } from "react";

const reduced = window.matchMedia("(prefers-reduced-motion: reduce)");

function subscribe(listener: () => void): () => void {
  reduced.addEventListener("change", listener);
  return () => reduced.removeEventListener("change", listener);
}

export function useReducedMotion(): boolean {
  return useSyncExternalStore(subscribe, () => reduced.matches);
}

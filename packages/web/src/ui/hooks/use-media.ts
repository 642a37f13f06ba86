import { useSyncExternalStore } from "react";

const phone = mediaStore("(width < 40rem)");
const wide = mediaStore("(width >= 80rem)");
const narrow = mediaStore("(width < 64rem)");
const reducedMotion = mediaStore("(prefers-reduced-motion: reduce)");

export function useIsPhone(): boolean {
  return useSyncExternalStore(phone.subscribe, phone.matches);
}

/** Phones, and tablets on which the sidebar leaves too little room for a wide table. */
export function useIsNarrow(): boolean {
  return useSyncExternalStore(narrow.subscribe, narrow.matches);
}

/** Screens whose header has room for more than a title. */
export function useIsWide(): boolean {
  return useSyncExternalStore(wide.subscribe, wide.matches);
}

export function useReducedMotion(): boolean {
  return useSyncExternalStore(reducedMotion.subscribe, reducedMotion.matches);
}

function mediaStore(query: string) {
  const media = window.matchMedia(query);
  return {
    matches: () => media.matches,
    subscribe(listener: () => void) {
      media.addEventListener("change", listener);
      return () => media.removeEventListener("change", listener);
    },
  };
}

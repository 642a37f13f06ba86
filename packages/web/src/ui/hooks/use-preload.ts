import { useEffect } from "react";

/** Long enough for the page to load and read its data first. */
const delayMs = 1000;

/** Loads code that the page does not need yet, after the page: it is there at once, even if the server does not respond by then. */
export function usePreload(load: () => Promise<unknown>): void {
  useEffect(() => {
    const timer = setTimeout(() => void load().catch(console.warn), delayMs);
    return () => clearTimeout(timer);
  }, [load]);
}

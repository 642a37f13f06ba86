import { minuteMs } from "@flamekeep/contract/durations";
import { useSyncExternalStore } from "react";

const stepMs = 5_000;
const listeners = new Set<() => void>();
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  timer ??= setInterval(() => {
    now = Date.now();
    for (const each of listeners) each();
  }, stepMs);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The end of the current minute. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.ceil(now / minuteMs) * minuteMs);
}

/** Unix milliseconds, updated every five seconds by one timer for the whole page. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

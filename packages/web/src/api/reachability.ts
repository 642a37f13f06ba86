import { useSyncExternalStore } from "react";

let isReachable = true;
const listeners = new Set<() => void>();

/** Records whether the last request got a response. */
export function noteReachability(hasResponse: boolean): void {
  if (hasResponse === isReachable) return;
  isReachable = hasResponse;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Calls back when the server answers after requests without a response. */
export function onReachableAgain(again: () => void): void {
  listeners.add(() => isReachable && again());
}

/** Why the last request got no response. The server may be on this machine, which a browser without a network reaches. */
export function unreachableText(): string {
  return navigator.onLine ? "The server cannot be reached" : "You are offline";
}

/** False from the first request without a response until one gets any response. */
export function useIsServerReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable);
}

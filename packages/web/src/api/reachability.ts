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

/** False from the first request without a response until one gets any response. */
export function useIsServerReachable(): boolean {
  return useSyncExternalStore(subscribe, () => isReachable);
}

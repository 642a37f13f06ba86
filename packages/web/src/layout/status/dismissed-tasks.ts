import { useSyncExternalStore } from "react";

const key = "flamekeep.dismissed_tasks";
const listeners = new Set<() => void>();
let dismissed: readonly string[] = readDismissed();

function readDismissed(): readonly string[] {
  const stored = sessionStorage.getItem(key);
  return stored === null ? [] : stored.split("\n");
}

/** Messages that were dismissed in this tab. */
export function useDismissedTasks(): readonly string[] {
  return useSyncExternalStore(subscribe, () => dismissed);
}

export function dismissTasks(messages: readonly string[]): void {
  dismissed = [...new Set([...dismissed, ...messages])];
  sessionStorage.setItem(key, dismissed.join("\n"));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

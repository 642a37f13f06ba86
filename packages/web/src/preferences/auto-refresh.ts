import { useSyncExternalStore } from "react";
import { readStored, removeStored, storageKeys, writeStored } from "./storage.ts";

/** How often pages read their data again: as often as the data allows, at an interval, or only when asked to. */
export const refreshChoices = ["live", "10s", "30s", "1m", "5m", "off"] as const;
export type RefreshChoice = (typeof refreshChoices)[number];

const listeners = new Set<() => void>();

function chosenRefresh(): RefreshChoice {
  const saved = readStored(storageKeys.autoRefresh);
  return refreshChoices.find((choice) => choice === saved) ?? "live";
}

export function chooseRefresh(choice: RefreshChoice): void {
  if (choice === "live") removeStored(storageKeys.autoRefresh);
  else writeStored(storageKeys.autoRefresh, choice);
  for (const listener of listeners) listener();
}

export function useRefreshChoice(): RefreshChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosenRefresh);
}

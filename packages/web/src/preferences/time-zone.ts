import { useSyncExternalStore } from "react";
import type { Zone } from "#format/wall-time.ts";
import { readStored, removeStored, storageKeys, writeStored } from "./storage.ts";

const listeners = new Set<() => void>();

window.addEventListener("storage", (event) => {
  if (event.key === storageKeys.timeZone) notify();
});

function notify(): void {
  for (const listener of listeners) listener();
}

function chosenZone(): Zone {
  return readStored(storageKeys.timeZone) === "utc" ? "utc" : "local";
}

export function chooseZone(zone: Zone): void {
  if (zone === "local") removeStored(storageKeys.timeZone);
  else writeStored(storageKeys.timeZone, zone);
  notify();
}

export function useZone(): Zone {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, chosenZone);
}

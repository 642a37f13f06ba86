import { useSyncExternalStore } from "react";
import { readStored, removeStored, storageKeys, writeStored } from "./storage.ts";

export type ThemeChoice = "system" | "light" | "dark";

const listeners = new Set<() => void>();
const darkSystem = window.matchMedia("(prefers-color-scheme: dark)");

export function savedTheme(): ThemeChoice {
  const saved = readStored(storageKeys.theme);
  return saved === "light" || saved === "dark" ? saved : "system";
}

function applyTheme(): void {
  const choice = savedTheme();
  const isDark = choice === "dark" || (choice === "system" && darkSystem.matches);
  document.documentElement.dataset.theme = isDark ? "dark" : "light";
  for (const listener of listeners) listener();
}

/** Follows the chosen theme and the system's. public/before-app.js has set the first one before the app loads. */
export function watchTheme(): void {
  darkSystem.addEventListener("change", applyTheme);
  // Paper is light; charts and flame graphs follow the attribute.
  window.addEventListener("beforeprint", () => {
    document.documentElement.dataset.theme = "light";
  });
  window.addEventListener("afterprint", applyTheme);
  window.addEventListener("storage", (event) => {
    if (event.key === storageKeys.theme) applyTheme();
  });
}

export function chooseTheme(choice: ThemeChoice): void {
  if (choice === "system") removeStored(storageKeys.theme);
  else writeStored(storageKeys.theme, choice);
  applyTheme();
}

export function useThemeChoice(): ThemeChoice {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, savedTheme);
}

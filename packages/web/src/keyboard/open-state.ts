import { useSyncExternalStore } from "react";

/** Whether an overlay that exists once in the app is open: keys, buttons and menus all over the app open it. */
class OpenState {
  isOpen = false;
  /** Stays true, so that the overlay is loaded at its first opening and kept, which lets it close gracefully. */
  wasOpened = false;
  readonly #listeners = new Set<() => void>();

  readonly set = (isOpen: boolean): void => {
    this.isOpen = isOpen;
    this.wasOpened ||= isOpen;
    for (const listener of this.#listeners) listener();
  };

  readonly open = (): void => this.set(true);

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export const keyboardOverview = new OpenState();
export const palette = new OpenState();

export function useIsOpen(overlay: OpenState): boolean {
  return useSyncExternalStore(overlay.subscribe, () => overlay.isOpen);
}

export function useWasOpened(overlay: OpenState): boolean {
  return useSyncExternalStore(overlay.subscribe, () => overlay.wasOpened);
}

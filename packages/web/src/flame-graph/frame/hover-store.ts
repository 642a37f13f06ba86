import type { Hit } from "@flamekeep/flame";
import { useSyncExternalStore } from "react";

/** The frame under the pointer. It changes with every move, so only the components that show it subscribe. */
export class HoverStore {
  #hit: Hit | null = null;
  readonly #listeners = new Set<() => void>();

  /** @returns whether the frame changed */
  set(hit: Hit | null): boolean {
    if (same(hit, this.#hit)) return false;
    this.#hit = hit;
    for (const listener of this.#listeners) listener();
    return true;
  }

  readonly get = (): Hit | null => this.#hit;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

export function useHover(store: HoverStore): Hit | null {
  return useSyncExternalStore(store.subscribe, store.get);
}

function same(a: Hit | null, b: Hit | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "frame") return b.kind === "frame" && a.node === b.node;
  return b.kind === "elided" && a.parent === b.parent;
}

import type { CallTree, Hit } from "@flamekeep/flame";
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

/** The frame under the pointer. The pointer may still be where a frame of another, larger tree was. */
export function useHover(store: HoverStore, { length }: Pick<CallTree, "length">): Hit | null {
  const hit = useSyncExternalStore(store.subscribe, store.get);
  return hit === null || (hit.kind === "frame" ? hit.node : hit.parent) < length ? hit : null;
}

function same(a: Hit | null, b: Hit | null): boolean {
  if (a === null || b === null) return a === b;
  if (a.kind === "frame") return b.kind === "frame" && a.node === b.node;
  return b.kind === "elided" && a.parent === b.parent;
}

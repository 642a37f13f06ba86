import { changeView, type FlameView, widestPlace } from "@flamekeep/flame";
import { createContext, type RefObject, useContext, useEffect, useRef, useSyncExternalStore } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";

/** Properties of the card of a page's flame graph. Scrolled to, it begins below the page's header and toolbar. */
export const flamePanel = {
  id: "flame-graph",
  className: "min-w-0 overflow-clip scroll-mt-[calc(var(--sticky-top,4rem)+0.75rem)]",
} as const;

/** The function that somebody asked to see, on this page or the one before, until a flame graph shows it. */
class WantedFunction {
  #name: string | undefined;
  readonly #listeners = new Set<() => void>();

  readonly set = (name: string | undefined): void => {
    this.#name = name;
    for (const listener of this.#listeners) listener();
  };

  readonly get = (): string | undefined => this.#name;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
}

const wanted = new WantedFunction();

/** The view with the function selected in the whole graph and zoomed to its widest place. Rows alone would not show it. */
export function viewOfFunction(view: FlameView, name: string): FlameView {
  const found = changeView(view, { do: "find function", name });
  const hasGraph = view.pane === "graph" || view.pane === "both";
  return hasGraph ? found : changeView(found, { do: "pane", to: "graph" });
}

/** Scrolls to the page's flame graph and, once it is zoomed to the function, to its frame. The caller changes the view. */
export function bringIntoView(name: string): void {
  wanted.set(name);
  scrollToPanel();
}

function scrollToPanel(): void {
  document.getElementById(flamePanel.id)?.scrollIntoView({ block: "start" });
}

/** Whether the graph on screen is the one before, while another one loads. */
export const StaleGraphContext = createContext(false);

export const StaleGraphProvider = StaleGraphContext.Provider;

type Asked = Pick<FlameView, "zoom" | "selectedFunction">;

/**
 * The search for a wanted function: the function is `found`, still `awaited`, or the search is `over`, because somebody chose something
 * else or the graph has loaded without it. The bar of the selected function then says that it has no frame.
 *
 * @param before the view when the function was first looked for
 */
export function searchState(
  name: string,
  { view, before, zoom, isStale }: { view: Asked; before: Asked; zoom: number; isStale: boolean },
): "found" | "awaited" | "over" {
  const isAskedFor = view.zoom === widestPlace && view.selectedFunction === name;
  // The tree may still be the one of another sample type, without the function.
  if (isAskedFor) return zoom !== 0 ? "found" : isStale ? "awaited" : "over";
  const isUnchanged = view.zoom === before.zoom && view.selectedFunction === before.selectedFunction;
  return isUnchanged ? "awaited" : "over";
}

interface ZoomedGraph {
  readonly scene: { readonly zoom: number };
  readonly view: Asked;
  readonly select: (node: number) => void;
}

/** Selects the frame of the wanted function and scrolls to it when the graph is zoomed to it. */
export function useWantedFunction(
  { scene: { zoom }, view, select }: ZoomedGraph,
  graph: RefObject<HTMLElement | null>,
): void {
  const name = useSyncExternalStore(wanted.subscribe, wanted.get);
  const hasAllFrames = useHasAllFrames();
  const isStale = useContext(StaleGraphContext) || !hasAllFrames;
  const asked = useRef<{ readonly name: string; readonly view: Asked }>(undefined);
  const { zoom: ref, selectedFunction } = view;
  useEffect(() => {
    if (name === undefined) {
      asked.current = undefined;
      return;
    }
    const now = { zoom: ref, selectedFunction };
    if (asked.current?.name !== name) asked.current = { name, view: now };
    const state = searchState(name, { view: now, before: asked.current.view, zoom, isStale });
    if (state === "awaited") return;
    wanted.set(undefined);
    if (state === "over") return;
    select(zoom);
    scrollToPanel();
    graph.current?.querySelector("[data-zoomed]")?.scrollIntoView({ block: "nearest" });
    graph.current?.focus({ preventScroll: true });
  }, [name, zoom, ref, selectedFunction, isStale, select, graph]);
}

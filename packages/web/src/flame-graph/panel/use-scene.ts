import {
  type CallTree,
  type FlameView,
  functionNames,
  levelOf,
  nodeAtRef,
  nodeColours,
  widestPlace,
  zoomedNode,
} from "@flamekeep/flame";
import { useMemo } from "react";
import {
  type Direction,
  type GraphLook,
  paletteFor,
  paletteFrom,
  rowCount,
  type Scene,
} from "#flame-graph/canvas/scene.ts";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";
import { useSearch } from "#flame-graph/search/use-search.ts";

interface Marks {
  readonly selected: number;
  readonly outlined: number;
}

/** How to draw the tree, where it is not as usual. */
export interface GraphStyle {
  /** Instead of the view's colour scheme. */
  readonly look?: GraphLook | undefined;
  /** Callers are drawn upwards, without the focused frame: it is the first row of the callees below them. */
  readonly direction?: Direction;
}

/** The scene that the canvas draws for a view of a tree, and its number of rows. */
export function useScene(
  tree: CallTree,
  view: FlameView,
  marks: Marks,
  { look, direction = "down" }: GraphStyle,
): { scene: Scene; rows: number } {
  const colours = useThemeColours();
  const focus = useMemo(() => nodeAtRef(tree, view.focus), [tree, view.focus]);
  const { zoom: zoomRef, selectedFunction } = view;
  // The selected function moves the zoom only where the zoom is its widest place.
  const placed = zoomRef === widestPlace ? selectedFunction : "";
  const zoom = useMemo(
    () => zoomedNode(tree, { zoom: zoomRef, selectedFunction: placed }),
    [tree, zoomRef, placed],
  );
  const colourOf = useMemo(() => look?.colourOf ?? nodeColours(tree, view.scheme), [tree, view.scheme, look]);
  const palette = useMemo(
    () =>
      look === undefined
        ? paletteFor(view.scheme, colours)
        : paletteFrom(look.paletteOf(colours.theme), colours),
    [view.scheme, colours, look],
  );
  const names = functionNames(tree.functions);
  const search = useSearch(tree, view.search);
  const zoomLevel = levelOf(tree, zoom);
  const focusLevel = levelOf(tree, focus) + (direction === "up" ? 1 : 0);
  const { selected, outlined } = marks;
  const scene = useMemo<Scene>(
    () => ({
      tree,
      focus,
      zoom,
      zoomLevel,
      focusLevel,
      direction,
      search,
      selected,
      outlined,
      colours,
      palette,
      colourOf,
      names,
    }),
    [
      tree,
      focus,
      zoom,
      zoomLevel,
      focusLevel,
      direction,
      search,
      selected,
      outlined,
      colours,
      palette,
      colourOf,
      names,
    ],
  );
  return { scene, rows: rowCount(tree, zoom, zoomLevel - focusLevel) };
}

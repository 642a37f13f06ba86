import {
  type CallTree,
  type FlameView,
  functionNamed,
  functionNames,
  functionRef,
  levelOf,
  nameQuery,
  nodeAtRef,
  nodeColours,
  nodeRefOf,
  type SearchResult,
  searchSteps,
  widestPlace,
  zoomedNode,
} from "@flamekeep/flame";
import { useEffect, useMemo, useRef, useState } from "react";
import { nodesAtOnce, runInFrames } from "#flame-graph/canvas/in-frames.ts";
import {
  type Direction,
  type GraphLook,
  paletteFor,
  rowCount,
  type Scene,
} from "#flame-graph/canvas/scene.ts";
import { useThemeColours } from "#flame-graph/canvas/theme-colours.ts";

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

/** The same object as long as its fields are the same: a new scene is a new drawing. */
function useUnchanged<T extends object>(next: T): T {
  const last = useRef(next);
  const isSame = (Object.keys(next) as (keyof T)[]).every((key) => next[key] === last.current[key]);
  if (!isSame) last.current = next;
  return last.current;
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
  const palette = useMemo(() => paletteFor(view.scheme, colours, look), [view.scheme, colours, look]);
  const names = functionNames(tree.functions);
  const search = useSearch(tree, view.search);
  const zoomLevel = levelOf(tree, zoom);
  const focusLevel = levelOf(tree, focus) + (direction === "up" ? 1 : 0);
  const { selected, outlined } = marks;
  const scene = useUnchanged<Scene>({
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
  });
  return { scene, rows: rowCount(tree, zoom, zoomLevel - focusLevel) };
}

/** The frame that the keys move and the details show. */
export interface FrameSelection {
  /** -1 for none. */
  readonly node: number;
  readonly onSelect: (node: number) => void;
  /** The function to outline, or -1; by default the one that the rows of this drawing point at. */
  readonly outlined?: number;
}

const none = { selected: -1, outlined: -1 };

/**
 * The selected node, and the function that is outlined: the one that a table points at, else the selected one of the view. Nodes have
 * other numbers in another tree: other transforms select none, and the same frame is selected in a tree that has got more frames.
 */
export function useMarks(
  tree: CallTree,
  { transforms, selectedFunction }: FlameView,
  selection: FrameSelection | undefined,
) {
  const [of, setOf] = useState({ tree, transforms });
  const [marks, setMarks] = useState(none);
  const isSame = of.tree === tree && of.transforms === transforms;
  const own = isSame ? marks : movedMarks(marks, of, { tree, transforms });
  if (!isSame) {
    setOf({ tree, transforms });
    setMarks(own);
  }
  const selectedFn = useMemo(() => functionNamed(tree, selectedFunction), [tree, selectedFunction]);
  const selected = selection?.node ?? own.selected;
  return {
    marks: {
      selected: selected < tree.length ? selected : -1,
      outlined: selection?.outlined ?? (own.outlined === -1 ? selectedFn : own.outlined),
    },
    /** Id of the selected function in this tree, or -1. */
    selectedFn,
    setSelected: selection?.onSelect ?? ((node: number) => setMarks((now) => ({ ...now, selected: node }))),
    setOutlined: (fn: number) => setMarks((now) => ({ ...now, outlined: fn })),
  };
}

interface MarkedTree {
  readonly tree: CallTree;
  readonly transforms: string;
}

function movedMarks(marks: typeof none, from: MarkedTree, to: MarkedTree): typeof none {
  if (marks.selected === -1 || from.transforms !== to.transforms) return none;
  const selected = nodeAtRef(to.tree, nodeRefOf(from.tree, marks.selected));
  const refIn = ({ tree }: MarkedTree, node: number) => functionRef(tree.functions, tree.fn[node]!);
  return refIn(to, selected) === refIn(from, marks.selected) ? { ...none, selected } : none;
}

interface Found {
  readonly tree: CallTree;
  readonly result: SearchResult;
}

/**
 * Searches a tree, a large one over several animation frames. Returns the previous result of the same tree meanwhile.
 *
 * @returns null without a text, for an expression that cannot be read, and during the first search of a tree
 */
export function useSearch(tree: CallTree, query: string): SearchResult | null {
  // Half an expression finds nothing, but that says nothing about the functions: they must not look like those without a match.
  const text = useMemo(() => (nameQuery(query).error === "" ? query : ""), [query]);
  const [found, setFound] = useState<Found | null>(null);
  useEffect(() => {
    if (text === "") {
      setFound(null);
      return;
    }
    return runInFrames(searchSteps(tree, text), tree.length <= nodesAtOnce, (result) =>
      setFound({ tree, result }),
    );
  }, [tree, text]);
  return text !== "" && found?.tree === tree ? found.result : null;
}

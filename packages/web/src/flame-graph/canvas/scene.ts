import {
  type BoxList,
  type CallTree,
  fromHex,
  hasMatchIn,
  inkOn,
  matchColour,
  mix,
  paletteOf,
  type Scheme,
  type SearchResult,
  type Theme,
  toHex,
} from "@flamekeep/flame";
import type { ThemeColours } from "./theme-colours.ts";

export type Direction = "down" | "up";

/** Everything that a drawing depends on except the viewport. Created when it changes, not in every animation frame. */
export interface Scene {
  readonly tree: CallTree;
  /** Root of the visible subtree; its row is the first. */
  readonly focus: number;
  /** Node that fills the width. */
  readonly zoom: number;
  readonly zoomLevel: number;
  /** Level of the first row. */
  readonly focusLevel: number;
  /** Callers are drawn upwards. */
  readonly direction: Direction;
  readonly search: SearchResult | null;
  readonly selected: number;
  /** Function to outline wherever it is on screen, or -1. */
  readonly outlined: number;
  readonly colours: ThemeColours;
  readonly palette: Palette;
  /** Colour id of a node in the scheme. */
  readonly colourOf: (node: number) => number;
  /** Name of each function, as everywhere else. */
  readonly names: readonly string[];
}

/** Colours by paint id: the scheme's, the same dimmed, then the special ones. */
export interface Palette {
  readonly fills: readonly string[];
  /** The fills as the pixels of `ImageData`. */
  readonly pixels: Uint32Array;
  readonly inks: readonly string[];
  readonly count: number;
  readonly match: number;
  readonly hiddenMatch: number;
  readonly elided: number;
  /** Paint id of the space without boxes. */
  readonly surface: number;
}

/** Colours that replace a scheme's. Create it once for a tree: a new one is a new drawing. */
export interface GraphLook {
  readonly paletteOf: (theme: Theme) => readonly string[];
  /** Index into the palette. */
  readonly colourOf: (node: number) => number;
}

/** @param look instead of the scheme */
export function paletteFor(scheme: Scheme, colours: ThemeColours, look?: GraphLook): Palette {
  const base = look?.paletteOf(colours.theme) ?? paletteOf(scheme, colours.theme);
  const surface = fromHex(colours.surface);
  const dimmed = base.map((colour) =>
    toHex(mix(fromHex(colour), surface, colours.theme === "light" ? 0.68 : 0.6)),
  );
  const hiddenMatch = toHex(mix(fromHex(matchColour), surface, 0.3));
  const elided = toHex(mix(fromHex(colours.line), surface, 0.35));
  const fills = [...base, ...dimmed, matchColour, hiddenMatch, elided, colours.surface];
  return {
    fills,
    pixels: Uint32Array.from(fills, pixelOf),
    inks: fills.map(inkOn),
    count: base.length,
    match: base.length * 2,
    hiddenMatch: base.length * 2 + 1,
    elided: base.length * 2 + 2,
    surface: base.length * 2 + 3,
  };
}

/** An opaque pixel as `ImageData` has it, read as a number: red is its lowest byte on every platform that runs browsers. */
function pixelOf(colour: string): number {
  const [red, green, blue] = fromHex(colour);
  return ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
}

/** Paint id of a box. Fades the callers of the zoomed frame, or during a search everything except the matches. */
export function paintOf(scene: Scene, boxes: BoxList, box: number): number {
  const { palette, search, tree } = scene;
  const node = boxes.node[box]!;
  const isRun = boxes.isRun[box] === 1;
  if (search !== null) {
    if (isRun) {
      const end = tree.firstChild[boxes.parent[box]! + 1]!;
      if (node !== -1 && hasMatchIn(search, node, end)) return palette.hiddenMatch;
    } else if (search.matches[tree.fn[node]!] === 1) return palette.match;
  }
  if (node === -1) return palette.elided;
  const isFaded = search !== null || boxes.row[box]! < scene.zoomLevel;
  return scene.colourOf(node) + (isFaded ? palette.count : 0);
}

/** Rows from the focus to the deepest frame of the zoomed subtree. On each level a subtree is one range of nodes. */
export function rowCount({ firstChild }: CallTree, zoom: number, rowsAbove: number): number {
  let rows = rowsAbove;
  for (let from = zoom, to = zoom + 1; from < to; rows++) {
    const next = firstChild[to]!;
    from = firstChild[from]!;
    to = next;
  }
  return rows;
}

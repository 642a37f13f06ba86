import {
  type CallTree,
  functionNames,
  levelOf,
  nodeColours,
  type Scheme,
  searchTree,
  type Viewport,
  viewportOf,
} from "@flamekeep/flame";
import { type GraphLook, paletteFor, rowCount, type Scene } from "#flame-graph/canvas/scene.ts";

/** Width of exported pictures, independent of the window. */
export const widthPx = 1600;

/** The graph on screen, for exports. */
export interface Picture {
  readonly scene: Scene;
  readonly viewport: Viewport;
  readonly rows: number;
  /** Name of the file, without its extension. */
  readonly name: string;
  /** Heading of the page: service, type and time. */
  readonly title: string;
  /** Name and values of a frame; undefined for the total of a single profile. */
  readonly tooltipOf: ((node: number) => string) | undefined;
  /** The upper half of a sandwich, whose lower one is the scene; null without a sandwich. */
  readonly callers: CallersOfPicture | null;
  /** The tree of `stacksOfPicture` by stored frame. Without it, profiles have the frames that are drawn. */
  readonly stored: (() => Promise<CallTree>) | undefined;
}

export interface CallersOfPicture extends Pick<Picture, "tooltipOf"> {
  readonly tree: CallTree;
  readonly scheme: Scheme;
  readonly look: GraphLook | undefined;
  /** Both halves as the stacks that they are made of: those through the function. */
  readonly stacks: () => Promise<CallTree>;
}

/** The halves of a picture from top to bottom: each a scene with its viewport and rows. */
export type Half = Pick<Picture, "scene" | "viewport" | "rows" | "tooltipOf">;

export function halvesOf({ scene, viewport, rows, tooltipOf, callers }: Picture): readonly Half[] {
  const lower = { scene, viewport, rows, tooltipOf };
  return callers === null ? [lower] : [upperHalf(scene, callers), lower];
}

/** The whole upper half, whatever it is zoomed to. */
function upperHalf(lower: Scene, { tree, scheme, look, tooltipOf }: CallersOfPicture): Half {
  const { colours, search } = lower;
  const root = Math.min(1, tree.length - 1);
  const scene: Scene = {
    ...lower,
    tree,
    focus: root,
    zoom: root,
    zoomLevel: levelOf(tree, root),
    // The function itself is the first row of the lower half.
    focusLevel: levelOf(tree, root) + 1,
    direction: "up",
    search: search === null ? null : searchTree(tree, search.query),
    selected: -1,
    outlined: -1,
    palette: paletteFor(scheme, colours, look),
    colourOf: look?.colourOf ?? nodeColours(tree, scheme),
    names: functionNames(tree.functions),
  };
  const rows = Math.max(0, rowCount(tree, root, -1));
  return { scene, viewport: viewportOf(tree, root), rows, tooltipOf };
}

/** The stacks of a picture: the stacks through the function of a sandwich, else the stacks of the zoomed frame with its callers. */
export async function stacksOfPicture({ scene, callers }: Picture) {
  if (callers !== null) return { tree: await callers.stacks(), focus: 0, zoom: 0 };
  return { tree: scene.tree, focus: scene.focus, zoom: scene.zoom };
}

export const tooLarge = "Too large for this format: focus on a subtree first";

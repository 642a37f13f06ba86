import {
  type CallTree,
  changeView,
  type FlameAction,
  type FlameView,
  functionRef,
  type Hit,
  isStep,
  nodeRefOf,
  truncatedName,
  viewportOf,
} from "@flamekeep/flame";
import { useRef, useState } from "react";
import type { Scene } from "#flame-graph/canvas/scene.ts";
import type { Stage } from "#flame-graph/canvas/stage.ts";
import { type FormatName, savePicture } from "#flame-graph/export/formats.ts";
import type { CallersOfPicture, Picture } from "#flame-graph/export/kinds/picture.ts";
import { HoverStore } from "#flame-graph/frame/hover-store.ts";
import { nodeOf } from "#flame-graph/reading/frame-text.ts";
import { useVisits } from "#flame-graph/search/use-match-steps.ts";
import { useReducedMotion } from "#ui/hooks/use-media.ts";
import { type FrameSelection, type GraphStyle, useMarks, useScene } from "./use-scene.ts";

export interface WorkspaceParts extends GraphStyle {
  readonly tree: CallTree;
  /** Prefix of the names of exported files. */
  readonly name: string;
  /** Heading of exported pages: service, type and time. By default `name`. */
  readonly title?: string | undefined;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  /** Name and values of a frame in exported pictures; by default the total and its share. */
  readonly tooltipOf?: ((node: number) => string) | undefined;
  /** Instead of a local selection. */
  readonly selection?: FrameSelection;
  /** Whether the tree is a half of a sandwich, whose function is then its root. */
  readonly isHalf?: boolean;
  /** The upper half of a sandwich, for exports. */
  readonly callers?: CallersOfPicture | null;
  /** The tree that exports are made of, by stored frame. */
  readonly stored?: () => Promise<CallTree>;
  /** Instead of a local store. */
  readonly hover?: HoverStore;
}

/** Local state and actions of the panel. The caller owns the view. */
export function useWorkspace(parts: WorkspaceParts) {
  const { tree, onViewChange, selection, isHalf = false } = parts;
  const view = isHalf ? viewOfHalf(parts.view) : parts.view;
  const { marks, selectedFn, setSelected, setOutlined } = useMarks(tree, view, selection);
  const [ownHover] = useState(() => new HoverStore());
  const hover = parts.hover ?? ownHover;
  const stage = useRef<Stage | null>(null);
  const isMotionReduced = useReducedMotion();
  const { scene, rows } = useScene(tree, view, marks, parts);

  const point = (hit: Hit | null) => {
    if (hover.set(hit)) stage.current?.hover(hit);
  };
  const change = (action: FlameAction) => {
    const next = changeView(view, action);
    // The graph moves under the pointer, which then hovers a different frame.
    if (isStep(view, next)) point(null);
    const settled = isHalf ? viewFromHalf(next) : next;
    if (!isSame(settled, parts.view)) onViewChange(settled);
    if (settled.zoom === parts.view.zoom && isZoom(action)) stage.current?.returnToZoom(isMotionReduced);
  };
  const zoomTo = (node: number) => change({ do: "zoom", to: nodeRefOf(tree, node) });
  const zoomAndSelect = (node: number) =>
    change({ do: "zoom", to: nodeRefOf(tree, node), select: functionRefAt(tree, node) });
  const visits = useVisits(scene, selectedFn, view.search, (node) => {
    setSelected(node);
    if (isHardToSee(scene, node, stage.current)) zoomTo(tree.parent[node]! > 0 ? tree.parent[node]! : node);
  });
  const picture = (): Picture => ({
    scene,
    rows,
    ...exportedParts(parts),
    viewport: stage.current?.viewport ?? viewportOf(tree, scene.zoom),
  });

  return {
    scene,
    rows,
    view,
    isHalf,
    hover,
    stage,
    change,
    zoomTo,
    zoomAndSelect,
    /** Id of the selected function in this tree, or -1. */
    selectedFn,
    /** Reference to the function of the selected frame, or else to the selected function. */
    selectedRef: scene.selected > 0 ? functionRefAt(tree, scene.selected) : functionRefOf(tree, selectedFn),
    selectFunction: (fn: number) => change({ do: "select function", name: functionRefOf(tree, fn) ?? "" }),
    ...visits,
    select: setSelected,
    outline: setOutlined,
    reset() {
      setSelected(-1);
      setOutlined(-1);
      change({ do: "reset" });
    },
    point,
    /** Zooms to the frame and selects its function, in one step. */
    pick(hit: Hit) {
      setSelected(nodeOf(hit));
      zoomAndSelect(nodeOf(hit));
    },
    /** Selects the touched frame, and zooms to it if it is already selected. */
    tap(hit: Hit | null) {
      point(hit);
      const node = hit === null ? -1 : nodeOf(hit);
      if (node !== -1 && node === marks.selected) zoomAndSelect(node);
      else setSelected(node);
    },
    saveAs: (format: FormatName) => savePicture(format, picture()),
  };
}

function exportedParts({ name, title = name, tooltipOf, callers = null, stored }: WorkspaceParts) {
  return { name, title, tooltipOf, callers, stored };
}

function functionRefOf({ functions }: CallTree, fn: number): string | undefined {
  return fn === -1 ? undefined : functionRef(functions, fn);
}

/** Reference to the function of a node; none for the root and for the placeholder of truncated stacks. */
function functionRefAt({ fn, functions }: CallTree, node: number): string {
  const of = fn[node]!;
  return node === 0 || functions.name[of] === truncatedName ? "" : functionRef(functions, of);
}

function isZoom({ do: name }: FlameAction): boolean {
  return name === "zoom" || name === "reset zoom" || name === "reset";
}

function isSame(a: FlameView, b: FlameView): boolean {
  return (Object.keys(a) as (keyof FlameView)[]).every((key) => a[key] === b[key]);
}

export type WorkspaceState = ReturnType<typeof useWorkspace>;

/** Stepping to a match narrower than this zooms to it. */
const narrowPx = 2;

function isHardToSee({ tree, zoom }: Scene, node: number, stage: Stage | null): boolean {
  if (stage === null) return false;
  const shown = viewportOf(tree, zoom);
  const box = viewportOf(tree, node);
  if (box.from >= shown.to || box.to <= shown.from) return true;
  const { from, to } = stage.viewport;
  return ((box.to - box.from) / (to - from)) * stage.widthPx < narrowPx;
}

/** Reference of the function in both halves of a sandwich: the only frame below the root. */
const halfRef = "0";

/** The view of a half: the function is its root. */
export function viewOfHalf(view: FlameView): FlameView {
  return { ...view, zoom: view.zoom || halfRef, focus: view.focus || halfRef };
}

/** The other way round: a link does not repeat what the sandwich says. */
export function viewFromHalf(view: FlameView): FlameView {
  const moved = (ref: string) => (ref === halfRef ? "" : ref);
  return { ...view, zoom: moved(view.zoom), focus: moved(view.focus) };
}

import {
  type CallTree,
  changeView,
  type FlameAction,
  type FlameView,
  type Hit,
  nodeRefOf,
  viewportOf,
} from "@flamekeep/flame";
import { useRef, useState } from "react";
import { importPage } from "#api/import-page.ts";
import { useReducedMotion } from "#ui/hooks/use-media.ts";
import { showToast } from "#ui/overlays/toast.ts";
import type { GraphLook, Scene } from "./canvas/scene.ts";
import type { Stage } from "./canvas/stage.ts";
import { nodeOf } from "./frame/frame-text.ts";
import { HoverStore } from "./frame/hover-store.ts";
import { useMatchSteps } from "./search/use-match-steps.ts";
import { useScene } from "./use-scene.ts";

export interface WorkspaceParts {
  readonly tree: CallTree;
  readonly profileId: string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  /** Instead of the view's colour scheme. */
  readonly look?: GraphLook;
  /** Instead of a local selection. */
  readonly selection?: { readonly node: number; readonly onSelect: (node: number) => void };
}

/** Local state and actions of the panel. The caller owns the view. */
export function useWorkspace({ tree, profileId, view, onViewChange, look, selection }: WorkspaceParts) {
  const [ownSelected, setOwnSelected] = useState(-1);
  const selected = selection?.node ?? ownSelected;
  const setSelected = selection?.onSelect ?? setOwnSelected;
  const [outlined, setOutlined] = useState(-1);
  const [hover] = useState(() => new HoverStore());
  const stage = useRef<Stage | null>(null);
  const isMotionReduced = useReducedMotion();
  const marks = { selected: selected < tree.length ? selected : -1, outlined };
  const { scene, rows } = useScene(tree, view, marks, look);

  const point = (hit: Hit | null) => {
    if (hover.set(hit)) stage.current?.hover(hit);
  };
  const change = (action: FlameAction) => {
    const next = changeView(view, action);
    // The graph moves under the pointer, which then hovers a different frame.
    if (next.zoom !== view.zoom || next.focus !== view.focus) point(null);
    if (next !== view) onViewChange(next);
    else if (action.do === "zoom" || action.do === "reset zoom" || action.do === "reset") {
      stage.current?.returnToZoom(isMotionReduced);
    }
  };
  const zoomTo = (node: number) => change({ do: "zoom", to: nodeRefOf(tree, node) });
  const isSearched = scene.search?.query === view.search;
  const stepMatch = useMatchSteps(tree, isSearched ? scene.search : null, (node) => {
    setSelected(node);
    if (isHardToSee(scene, node, stage.current)) zoomTo(tree.parent[node]! > 0 ? tree.parent[node]! : node);
  });
  const picture = () => ({
    scene,
    rows,
    profileId,
    viewport: stage.current?.viewport ?? viewportOf(tree, scene.zoom),
  });

  return {
    scene,
    rows,
    hover,
    stage,
    change,
    zoomTo,
    stepMatch,
    select: setSelected,
    outline: setOutlined,
    reset() {
      setSelected(-1);
      setOutlined(-1);
      change({ do: "reset" });
    },
    point,
    pick(hit: Hit) {
      setSelected(nodeOf(hit));
      zoomTo(nodeOf(hit));
    },
    /** Selects the touched frame, and zooms to it if it is already selected. */
    tap(hit: Hit | null) {
      point(hit);
      const node = hit === null ? -1 : nodeOf(hit);
      if (node !== -1 && node === selected) zoomTo(node);
      else setSelected(node);
    },
    saveAs: {
      svg: () => save(({ saveSvg }) => saveSvg(picture())),
      png: () => save(({ savePng }) => savePng(picture())),
      folded: () =>
        save(({ saveFolded }) => {
          if (!saveFolded(picture())) throw new Error("Too large as text: focus on a subtree first");
        }),
    },
  };
}

export type WorkspaceState = ReturnType<typeof useWorkspace>;

/** Exports are rare, so their code is loaded when one is made. */
function save(run: (module: typeof import("./export/save-graph.ts")) => unknown): void {
  importPage(() => import("./export/save-graph.ts"))
    .then(run)
    .catch((error: Error) => showToast(error.message, "critical"));
}

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

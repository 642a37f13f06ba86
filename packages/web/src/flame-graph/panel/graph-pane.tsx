import { levelOf, nodeRefOf, type Step, stepFrom } from "@flamekeep/flame";
import { type KeyboardEvent, useRef } from "react";
import { FlameCanvas } from "#flame-graph/canvas/flame-canvas.tsx";
import type { Direction, Scene } from "#flame-graph/canvas/scene.ts";
import { useFrameMenu } from "#flame-graph/frame/use-frame-menu.ts";
import { useWantedFunction } from "#flame-graph/frame/wanted-function.ts";
import { nodeOf } from "#flame-graph/reading/frame-text.ts";
import { exactCount } from "#format/number.ts";
import type { WorkspaceState } from "./use-workspace.ts";

interface GraphPaneProps {
  readonly state: WorkspaceState;
  readonly heightPx: number;
  /** Whether it is the upper or the lower half of a sandwich. */
  readonly isHalf?: boolean;
  /** Accessible name of the drawing. */
  readonly label: string;
  /** The values of a frame for its menu. */
  readonly summaryOf: (node: number) => string;
}

/** The drawing with its right-click menu. */
export function GraphPane(props: GraphPaneProps) {
  const { state, heightPx, isHalf = false, label, summaryOf } = props;
  const { scene, change, zoomTo } = state;
  const { tree, selected } = scene;
  const frames = tree.elisions.count.reduce((sum, count) => sum + count, tree.length);
  const graph = useRef<HTMLDivElement>(null);
  const { Menu, open, close, isHeld, triggerProps } = useFrameMenu(() => {
    const hit = state.hover.get();
    return hit === null ? selected : nodeOf(hit);
  });
  useWantedFunction(state, graph);
  const onKeyDown = useGraphKeys({ scene, onSelect: state.select, onZoom: state.zoomAndSelect });
  return (
    <div className="min-w-0" {...triggerProps}>
      <FlameCanvas
        scene={scene}
        rows={state.rows}
        heightPx={heightPx}
        isHalf={isHalf}
        stageRef={state.stage}
        elementRef={graph}
        label={`${label} of ${exactCount(frames)} frames. Arrow keys select, Enter zooms.`}
        onHover={state.point}
        onPick={state.pick}
        onTap={(hit) => {
          if (!isHeld()) state.tap(hit);
        }}
        onKeyDown={onKeyDown}
      />
      {/* The tree may be another one by now. */}
      {Menu !== undefined && open !== undefined && open.node < tree.length && (
        <Menu
          tree={tree}
          open={open}
          onClose={close}
          graph={graph}
          summaryOf={summaryOf}
          transforms={state.view.transforms}
          actions={{
            onZoom: zoomTo,
            onFocus: (node) => change({ do: "focus", on: nodeRefOf(tree, node) }),
            onSearch: (text) => change({ do: "search", text }),
            onTransform: (to) => change({ do: "transform", to }),
          }}
        />
      )}
    </div>
  );
}

interface GraphKeys {
  readonly scene: Scene;
  readonly onSelect: (node: number) => void;
  readonly onZoom: (node: number) => void;
}

const sideways: Readonly<Record<string, Step>> = { ArrowLeft: "previous", ArrowRight: "next" };
const steps: Readonly<Record<Direction, Readonly<Record<string, Step>>>> = {
  down: { ...sideways, ArrowUp: "parent", ArrowDown: "child" },
  up: { ...sideways, ArrowUp: "child", ArrowDown: "parent" },
};

/** The frame that the keys begin with: the zoomed one, or the first below it that is drawn. */
function firstOf({ tree, zoom, focusLevel }: Scene): number {
  return levelOf(tree, zoom) < focusLevel ? stepFrom(tree, zoom, "child") : zoom;
}

/** Keys of the focused graph: arrows select, Enter zooms, Home returns to the root. */
function useGraphKeys({ scene, onSelect, onZoom }: GraphKeys): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const from = scene.selected === -1 ? firstOf(scene) : scene.selected;
    const step = steps[scene.direction][event.key];
    if (step !== undefined) {
      const to = scene.selected === -1 ? from : stepFrom(scene.tree, from, step, scene.zoom);
      // The frames above the shown part are not drawn.
      onSelect(levelOf(scene.tree, to) < scene.focusLevel ? from : to);
    } else if (event.key === "Enter") onZoom(from);
    else if (event.key === "Home") {
      onSelect(scene.focus);
      onZoom(scene.focus);
    } else return;
    event.preventDefault();
  };
}

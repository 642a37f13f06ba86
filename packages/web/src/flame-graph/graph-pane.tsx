import { nodeRefOf } from "@flamekeep/flame";
import { useState } from "react";
import { exactCount } from "#format/number.ts";
import { FlameCanvas } from "./canvas/flame-canvas.tsx";
import { FrameMenu } from "./frame/frame-menu.tsx";
import { frameSummary, nodeOf } from "./frame/frame-text.ts";
import { useGraphKeys } from "./use-graph-keys.ts";
import type { WorkspaceState } from "./use-workspace.ts";

interface GraphPaneProps {
  readonly state: WorkspaceState;
  readonly heightPx: number;
  /** Accessible name of the drawing. */
  readonly label?: string;
  /** The values of a frame for its menu. */
  readonly summaryOf?: (node: number) => string;
}

/** The drawing with its right-click menu. */
export function GraphPane({ state, heightPx, label = "Flame graph", summaryOf }: GraphPaneProps) {
  const { scene, change, zoomTo } = state;
  const { tree, selected } = scene;
  const [menuNode, setMenuNode] = useState(-1);
  const onKeyDown = useGraphKeys({ scene, onSelect: state.select, onZoom: zoomTo });
  return (
    <FrameMenu
      tree={tree}
      // The menu may still close while another tree is shown.
      node={menuNode < tree.length ? menuNode : -1}
      summaryOf={summaryOf ?? ((node) => frameSummary(tree, node))}
      actions={{
        onZoom: zoomTo,
        onFocus: (node) => change({ do: "focus", on: nodeRefOf(tree, node) }),
        onSearch: (text) => change({ do: "search", text }),
        onTransform: (to) => change({ do: "transform", to }),
      }}
      transforms={state.transforms}
    >
      <div
        className="min-w-0"
        onContextMenuCapture={() => {
          const hit = state.hover.get();
          setMenuNode(hit === null ? selected : nodeOf(hit));
        }}
      >
        <FlameCanvas
          scene={scene}
          rows={state.rows}
          heightPx={heightPx}
          stageRef={state.stage}
          label={`${label} of ${exactCount(tree.length)} frames. Arrow keys select, Enter zooms.`}
          onHover={state.point}
          onPick={state.pick}
          onTap={state.tap}
          onKeyDown={onKeyDown}
        />
      </div>
    </FrameMenu>
  );
}

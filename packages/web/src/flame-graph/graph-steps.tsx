import type { FlameView } from "@flamekeep/flame";
import { ZoomPath } from "./frame/zoom-path.tsx";
import { TransformBar } from "./transforms/lazy-parts.tsx";
import type { WorkspaceState } from "./use-workspace.ts";

interface GraphStepsProps {
  readonly view: FlameView;
  readonly state: WorkspaceState;
  /** A sentence about the stacks that the transforms leave. */
  readonly summary: string;
  /** That small frames were left out before; empty if none were. */
  readonly notice: string;
}

/** How the graph differs from the whole tree: its transforms and its zoom, which are undone here. */
export function GraphSteps({ view, state, summary, notice }: GraphStepsProps) {
  const { scene, change } = state;
  const transform = (to: string) => change({ do: "transform", to });
  return (
    <>
      {view.transforms !== "" && (
        <TransformBar text={view.transforms} onChange={transform} summary={summary} notice={notice} />
      )}
      <ZoomPath
        tree={scene.tree}
        zoom={scene.zoom}
        isZoomed={view.zoom !== "" || view.focus !== ""}
        onZoom={state.zoomTo}
        onReset={() => change({ do: "reset zoom" })}
      />
    </>
  );
}

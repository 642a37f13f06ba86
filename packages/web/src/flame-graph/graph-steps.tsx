import type { FlameView } from "@flamekeep/flame";
import { ZoomPath } from "./frame/zoom-path.tsx";
import { SelectedFunction } from "./selection/selected-function.tsx";
import { TransformBar } from "./transforms/lazy-parts.tsx";
import type { WorkspaceState } from "./use-workspace.ts";

interface GraphStepsProps {
  readonly view: FlameView;
  readonly state: WorkspaceState;
  /** A sentence about the stacks that the transforms leave. */
  readonly summary: string;
  /** That small frames were left out before; empty if none were. */
  readonly notice: string;
  /** How to read the values. */
  readonly note?: string | undefined;
  /** Values of a function summed over all of its places, in words. */
  readonly sumsOf: (fn: number) => string;
}

/** How the graph differs from the whole tree: its transforms, its zoom and the selected function, which are undone here. */
export function GraphSteps({ view, state, summary, notice, note, sumsOf }: GraphStepsProps) {
  const { scene, change } = state;
  const transform = (to: string) => change({ do: "transform", to });
  return (
    <>
      {view.transforms !== "" && (
        <TransformBar text={view.transforms} onChange={transform} summary={summary} notice={notice} />
      )}
      <div className="flex items-center max-md:flex-wrap">
        <ZoomPath
          tree={scene.tree}
          zoom={scene.zoom}
          isHalf={state.isHalf}
          hasSelectedFunction={view.selectedFunction !== ""}
          isZoomed={view.zoom !== "" || view.focus !== ""}
          onZoom={state.zoomTo}
          onReset={() => change({ do: "reset zoom" })}
        />
        {view.selectedFunction === "" ? (
          note !== undefined && (
            <p
              title={note}
              className="mr-4 ml-auto min-w-0 shrink truncate text-label text-muted max-md:hidden"
            >
              {note}
            </p>
          )
        ) : (
          <SelectedFunction state={state} name={view.selectedFunction} sumsOf={sumsOf} />
        )}
      </div>
    </>
  );
}

import { type FlameView, functionNames, placesOf, shownName } from "@flamekeep/flame";
import { X } from "lucide-react";
import { useMemo } from "react";
import { pendingText, useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { ZoomPath } from "#flame-graph/frame/zoom-path.tsx";
import { copiesText } from "#flame-graph/reading/copies-text.ts";
import { NameText } from "#flame-graph/rows/name-text.tsx";
import { StepButtons } from "#flame-graph/search/search-status.tsx";
import { TransformBar } from "#flame-graph/transforms/lazy-parts.tsx";
import { plural } from "#format/number.ts";
import { cx } from "#ui/cx.ts";
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

interface SelectedFunctionProps {
  readonly state: WorkspaceState;
  /** The selected function's name, which this graph may not have. */
  readonly name: string;
  /** Values of a function summed over all of its places, in words. */
  readonly sumsOf: (fn: number) => string;
}

/** The selected function with its values in all places, which the buttons visit. */
function SelectedFunction({ state, name, sumsOf }: SelectedFunctionProps) {
  const { scene, selectedFn } = state;
  const { tree } = scene;
  const { count } = useMemo(() => placesOf(tree, selectedFn), [tree, selectedFn]);
  const sums = useMemo(() => {
    if (count === 0) return "";
    const copies = copiesText(tree.functions, selectedFn);
    return `${sumsOf(selectedFn)}${copies && `. ${copies}`}`;
  }, [count, selectedFn, sumsOf, tree]);
  const hasAllFrames = useHasAllFrames();
  const isFound = selectedFn !== -1 && count > 0;
  // The path next to it names the zoomed function.
  const isZoomed = isFound && tree.fn[scene.zoom] === selectedFn;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for controls
    <div
      role="group"
      aria-label="Selected function"
      className={cx(
        "flex h-6 min-w-0 items-center gap-1 px-4 text-label max-md:h-auto max-md:w-full max-md:flex-wrap max-md:pb-1.5 md:pl-0",
        // The path of the zoom is short while nothing is zoomed.
        scene.zoom === 0 ? "md:max-w-[80%]" : "md:max-w-[60%]",
      )}
    >
      {/* On phones, its parts are in two rows: the name with the buttons, then the values. */}
      <p role="status" className="flex min-w-0 items-baseline gap-2 max-md:contents">
        <NameText
          name={selectedFn === -1 ? shownName(name) : functionNames(tree.functions)[selectedFn]!}
          fullName={shownName(name)}
          className={cx(
            "text-label! font-medium max-md:flex-1",
            isZoomed ? "md:sr-only" : "md:min-w-16 md:max-w-[50%] md:shrink-0",
          )}
        />
        <span
          title={hasAllFrames ? sums : undefined}
          className="min-w-0 text-muted max-md:order-1 max-md:basis-full md:truncate"
        >
          {hasAllFrames
            ? isFound
              ? `${plural(count, "place")}: ${sums}`
              : "has no frame in this graph"
            : pendingText}
        </span>
      </p>
      {hasAllFrames && count > 1 && (
        <span className="flex shrink-0">
          <StepButtons noun="place" onStep={state.stepPlace} className="rounded-control max-md:size-10" />
        </span>
      )}
      <button
        type="button"
        aria-label="Clear the selected function"
        className="grid size-6 shrink-0 place-items-center rounded-control text-muted hover:bg-surface-2 hover:text-text max-md:size-10"
        onClick={() => state.change({ do: "select function", name: "" })}
      >
        <X aria-hidden className="size-3.5" />
      </button>
    </div>
  );
}

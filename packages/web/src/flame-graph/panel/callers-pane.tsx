import { type FlameView, functionRef } from "@flamekeep/flame";
import { useState } from "react";
import { halfHeight } from "#flame-graph/canvas/graph-height.ts";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";
import { HoverStore } from "#flame-graph/frame/hover-store.ts";
import type { DrawnTree } from "#flame-graph/reading/reading.ts";
import { GraphPane } from "./graph-pane.tsx";
import { useWorkspace } from "./use-workspace.ts";

interface CallersPaneProps {
  /** root, the function, then those that called it. */
  readonly tree: DrawnTree;
  readonly name: string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  readonly hover: HoverStore;
  readonly selection: { readonly node: number; readonly onSelect: (node: number) => void };
  readonly look?: GraphLook | undefined;
  readonly summaryOf: (node: number) => string;
}

/** The upper half of a sandwich: the callers of a function, upwards. Its zoom is its own. */
export function CallersPane({ tree, view, onViewChange, ...parts }: CallersPaneProps) {
  const state = useWorkspace({
    ...parts,
    tree,
    view: { ...view, zoom: view.callersZoom, focus: "" },
    isHalf: true,
    onViewChange({ zoom: callersZoom, focus: _, ...next }) {
      const isSameTree = next.transforms === view.transforms;
      const { zoom, focus } = isSameTree ? view : { zoom: "", focus: "" };
      onViewChange({ ...next, zoom, focus, callersZoom: isSameTree ? callersZoom : "" });
    },
    direction: "up",
  });
  return (
    <section aria-label="Callers" className="border-line border-b">
      <HalfHeading text="Callers" />
      {tree.length > 2 ? (
        <GraphPane
          state={state}
          isHalf
          heightPx={halfHeight(tree, "callers")}
          label="Callers"
          summaryOf={parts.summaryOf}
        />
      ) : (
        <p className="px-4 py-6 text-center text-muted">No callers: it is the root of its stacks.</p>
      )}
    </section>
  );
}

/** Above each half of a sandwich. */
export function HalfHeading({ text }: { readonly text: "Callers" | "Callees" }) {
  return <h3 className="px-4 py-1 text-label text-muted">{text}</h3>;
}

/** Selection and pointer in the callers of a sandwich. A frame is selected in one half only. */
export interface UpperHalf {
  /** null without a sandwich. */
  readonly tree: DrawnTree | null;
  readonly hover: HoverStore;
  /** -1 if no frame of it is selected. */
  readonly selected: number;
  readonly select: (node: number) => void;
}

/** @param selectedBelow the selected frame of the lower half, or -1 */
export function useUpperHalf(
  tree: DrawnTree | null,
  selectedBelow: number,
  deselectBelow: () => void,
): UpperHalf {
  const [hover] = useState(() => new HoverStore());
  const [selection, setSelection] = useState<{ tree: DrawnTree | null; node: number }>({ tree, node: -1 });
  return {
    tree,
    hover,
    selected: selectedBelow === -1 && selection.tree === tree ? selection.node : -1,
    select(node) {
      setSelection({ tree, node });
      if (node !== -1) deselectBelow();
    },
  };
}

/** Reference to a selected function, the root left out. */
export function functionRefAt(tree: DrawnTree | null, node: number): string | undefined {
  return tree !== null && node > 0 ? functionRef(tree.functions, tree.fn[node]!) : undefined;
}

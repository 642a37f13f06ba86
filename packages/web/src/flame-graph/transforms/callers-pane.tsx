import type { CallTree, FlameView } from "@flamekeep/flame";
import type { GraphLook } from "#flame-graph/canvas/scene.ts";
import type { HoverStore } from "#flame-graph/frame/hover-store.ts";
import { GraphPane } from "#flame-graph/graph-pane.tsx";
import { useWorkspace } from "#flame-graph/use-workspace.ts";
import { HalfHeading } from "./half-heading.tsx";
import { halfHeight } from "./sandwich-view.ts";

export interface CallersPaneProps {
  /** root, the function, then those that called it. */
  readonly tree: CallTree;
  readonly profileId: string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  readonly hover: HoverStore;
  readonly selection: { readonly node: number; readonly onSelect: (node: number) => void };
  readonly look?: GraphLook | undefined;
  readonly summaryOf?: (node: number) => string;
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
          {...(parts.summaryOf && { summaryOf: parts.summaryOf })}
        />
      ) : (
        <p className="px-4 py-6 text-center text-muted">No callers: its stacks begin with it.</p>
      )}
    </section>
  );
}

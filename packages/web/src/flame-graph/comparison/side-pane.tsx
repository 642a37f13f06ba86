import type { FlameView } from "@flamekeep/flame";
import type { ComparedTree, Comparison } from "@flamekeep/flame/compare";
import { useMemo } from "react";
import { graphHeight } from "#flame-graph/canvas/graph-height.ts";
import { GraphPane } from "#flame-graph/graph-pane.tsx";
import { useWorkspace } from "#flame-graph/use-workspace.ts";
import { changeSentence, type Scaling, sideTotal } from "./change-text.ts";
import { nodeIn, useDrawn, viewIn } from "./use-layouts.ts";

interface SidePaneProps {
  readonly comparison: Comparison;
  readonly scaling: Scaling;
  readonly side: "before" | "after";
  /** The layout of both sides, to which the view and the selection belong. */
  readonly both: ComparedTree;
  readonly isHalf: boolean;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  readonly selected: number;
  readonly onSelect: (node: number) => void;
  readonly name: string;
}

/** The graph of one side. Both sides share zoom, search and selection. */
export function SidePane(props: SidePaneProps) {
  const { comparison, scaling, side, both, view, onViewChange, selected, onSelect, name } = props;
  const { tree, look } = useDrawn(comparison, scaling, side);
  const ownView = useMemo(() => viewIn(view, both, tree), [view, both, tree]);
  const state = useWorkspace({
    tree,
    profileId: `${name}-${side}`,
    view: ownView,
    onViewChange: (next) => onViewChange(viewIn(next, tree, both)),
    look,
    isHalf: props.isHalf,
    selection: {
      node: selected === -1 ? -1 : nodeIn(tree, both, selected),
      onSelect: (node) => onSelect(node === -1 ? -1 : nodeIn(both, tree, node)),
    },
  });
  const title = side === "before" ? "Before" : "After";
  return (
    <div className="min-w-0">
      {/* Both graphs are equally wide, whatever their totals are. */}
      <div className="flex items-baseline gap-2 px-4 pt-2 text-label text-muted">
        <h3>{title}</h3>
        <span className="tabular-nums">{sideTotal(tree, scaling, side)}</span>
      </div>
      {tree.width[0]! > 0 ? (
        <GraphPane
          state={state}
          heightPx={graphHeight(tree)}
          label={title}
          summaryOf={(node) => changeSentence(tree, scaling, node)}
        />
      ) : (
        <p className="px-4 py-12 text-center text-muted">No samples on this side.</p>
      )}
    </div>
  );
}

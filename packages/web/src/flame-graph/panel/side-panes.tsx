import { type FlameView, nodeAtRef, nodeRefOf, zoomedNode } from "@flamekeep/flame";
import { useMemo } from "react";
import { graphHeight } from "#flame-graph/canvas/graph-height.ts";
import { drawnNode, drawnOf, graphNode } from "#flame-graph/reading/drawing.ts";
import type { DrawnTree, Side } from "#flame-graph/reading/reading.ts";
import { GraphPane } from "./graph-pane.tsx";
import type { SidesProps } from "./graph-panes.tsx";
import { useWorkspace } from "./use-workspace.ts";

/** The sides of a comparison next to each other. */
export function SidePanes(props: SidesProps) {
  return (
    <div className="grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x">
      {props.reading.sides?.map((side) => (
        <SidePane key={side.name} {...props} side={side} />
      ))}
    </div>
  );
}

/** The graph of one side. All sides share zoom, search and selection. */
function SidePane({
  reading,
  shown,
  drawn,
  state: shared,
  side,
  name,
}: SidesProps & { readonly side: Side }) {
  const { tree: whole, view, onViewChange, callers } = drawn;
  const { tree, look } = useMemo(
    () => drawnOf({ ...reading, drawn: side.drawn }, shown),
    [reading, side, shown],
  );
  const { selected, outlined } = shared.scene;
  const state = useWorkspace({
    tree,
    look,
    name: `${name}-${side.name}`,
    view: useMemo(() => viewIn(view, whole, tree), [view, whole, tree]),
    onViewChange: (next) => onViewChange(viewIn(next, tree, whole)),
    isHalf: callers !== null,
    selection: {
      node: selected === -1 ? -1 : nodeIn(tree, whole, selected),
      onSelect: (node) => shared.select(node === -1 ? -1 : nodeIn(whole, tree, node)),
      outlined,
    },
  });
  return (
    <div className="min-w-0">
      {/* The graphs are equally wide, whatever their totals are. */}
      <div className="flex items-baseline gap-2 px-4 pt-2 text-label text-muted">
        <h3>{side.title}</h3>
        <span className="tabular-nums">{side.total(tree)}</span>
      </div>
      {tree.width[0]! > 0 ? (
        <GraphPane
          state={state}
          heightPx={graphHeight(tree)}
          label={side.title}
          summaryOf={(node) => reading.sentences.frame(tree, node)}
        />
      ) : (
        <p className="px-4 py-12 text-center text-muted">No samples on this side.</p>
      )}
    </div>
  );
}

/** The node of another drawing of the same graph. */
export function nodeIn(to: DrawnTree, from: DrawnTree, node: number): number {
  return drawnNode(to, graphNode(from, node));
}

/** The view of one drawing of a graph in another one, whose siblings may have another order. */
export function viewIn(view: FlameView, from: DrawnTree, to: DrawnTree): FlameView {
  if (view.zoom === "" && view.focus === "") return view;
  const moved = (at: number) => {
    let node = nodeIn(to, from, at);
    // A frame that only the other side has cannot fill the width.
    while (node > 0 && to.width[node] === 0) node = to.parent[node]!;
    return nodeRefOf(to, node);
  };
  return { ...view, zoom: moved(zoomedNode(from, view)), focus: moved(nodeAtRef(from, view.focus)) };
}

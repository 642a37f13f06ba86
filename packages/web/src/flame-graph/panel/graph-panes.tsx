import { panelHeight } from "@flamekeep/flame";
import { type ComponentType, Suspense, useMemo } from "react";
import { lazyPart } from "#api/import-page.ts";
import { graphHeight, halfHeight } from "#flame-graph/canvas/graph-height.ts";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import type { Drawn } from "#flame-graph/reading/drawing.ts";
import type { Graph, Reading } from "#flame-graph/reading/reading.ts";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { cx } from "#ui/cx.ts";
import { useIsWide } from "#ui/hooks/use-media.ts";
import { CallersPane, HalfHeading, type UpperHalf } from "./callers-pane.tsx";
import { GraphPane } from "./graph-pane.tsx";
import type { WorkspaceParts, WorkspaceState } from "./use-workspace.ts";

// Most people look at the graph only.
const Rows = lazyPart(async () => (await import("#flame-graph/rows/rows.tsx")).Rows);

/** Both halves as they are drawn, and the view with references in them. */
export interface Drawings extends Drawn, Pick<WorkspaceParts, "view" | "onViewChange"> {
  /** The upper half of a sandwich. */
  readonly callers: Drawn | null;
}

export interface SidesProps {
  readonly reading: Reading;
  readonly shown: Graph;
  readonly drawn: Drawings;
  readonly state: WorkspaceState;
  /** Prefix of the names of exported files. */
  readonly name: string;
}

interface PanesProps extends SidesProps {
  readonly upper: UpperHalf;
  /** Draws the sides of a comparison next to each other. */
  readonly sides: ComponentType<SidesProps> | undefined;
}

/** The rows, the graph, or both, as the view says. A comparison always has both. */
export function Panes(props: PanesProps) {
  const { reading, drawn } = props;
  const { pane } = drawn.view;
  if (reading.isCompared) return <ComparedPanes {...props} />;
  return (
    <div className={cx(pane === "both" && "grid lg:grid-cols-2 lg:divide-x lg:divide-line")}>
      {pane !== "graph" && (
        <div style={{ height: panelHeight }}>
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <AdjacentRows {...props} />
          </Suspense>
        </div>
      )}
      {(pane === "graph" || pane === "both") && <Graphs {...props} />}
    </div>
  );
}

/** The graph, with two halves in a sandwich. */
function Graphs(props: PanesProps) {
  const { reading, drawn, state, upper, name, sides: Sides } = props;
  const { tree, view, onViewChange, callers } = drawn;
  const isHalf = callers !== null;
  const isNextToRows = !reading.isCompared && view.pane !== "graph";
  const heightPx = useMemo(() => {
    if (isHalf) return halfHeight(tree, "callees");
    // Next to rows, the graph has the full height of the panel.
    return isNextToRows ? panelHeight : graphHeight(tree);
  }, [tree, isNextToRows, isHalf]);
  const summaryOf = (node: number) => reading.sentences.frame(tree, node);
  return (
    <div className="min-w-0">
      {callers !== null && (
        <CallersPane
          // Its zoom belongs to one tree.
          key={view.transforms}
          {...callers}
          {...{ name, view, onViewChange, hover: upper.hover }}
          selection={{ node: upper.selected, onSelect: upper.select }}
          summaryOf={(node) => reading.sentences.frame(callers.tree, node)}
        />
      )}
      {isHalf && <HalfHeading text="Callees" />}
      {Sides === undefined ? (
        <GraphPane {...{ state, heightPx, isHalf, summaryOf }} label={isHalf ? "Callees" : reading.label} />
      ) : (
        <Sides {...props} />
      )}
    </div>
  );
}

function AdjacentRows(props: PanesProps) {
  if (useHasAllFrames()) return <Rows {...rowsOf(props)} heightPx={panelHeight} />;
  return (
    <SkeletonBlocks
      label="Loading all frames"
      count={14}
      className="h-3.5 w-full"
      layoutClass="flex flex-col gap-5.5 px-4 py-14"
    />
  );
}

/** The graph with its rows: next to it on wide screens, below two graphs or on others. */
function ComparedPanes(props: PanesProps) {
  const isWide = useIsWide();
  const isNextToGraph = isWide && props.sides === undefined;
  return (
    <div className={cx(isNextToGraph && "grid grid-cols-[minmax(0,3fr)_minmax(0,2fr)] divide-x divide-line")}>
      <Graphs {...props} />
      <Suspense fallback={<Skeleton className="h-[33rem] w-full" />}>
        <ComparedRows {...props} isNextToGraph={isNextToGraph} />
      </Suspense>
    </div>
  );
}

const rowsHeadPx = 48;
/** Rows next to a shallow graph are higher than it. */
const lowestRowsPx = 400;

function ComparedRows({ isNextToGraph, ...props }: PanesProps & { readonly isNextToGraph: boolean }) {
  const { change } = props.state;
  const { tree } = props.drawn;
  const nextToGraphPx = useMemo(() => Math.max(lowestRowsPx, graphHeight(tree)) - rowsHeadPx, [tree]);
  return (
    <div className="@container/rows min-w-0">
      <div className="flex px-4 py-2">
        <SegmentedControl
          className="max-md:h-10"
          label="Rows"
          value={props.drawn.view.pane === "tree" ? "tree" : "graph"}
          options={{ graph: "Functions", tree: "Call tree" }}
          onChange={(to) => change({ do: "pane", to })}
        />
      </div>
      <Rows {...rowsOf(props)} {...(isNextToGraph && { heightPx: nextToGraphPx })} />
    </div>
  );
}

function rowsOf({ reading, drawn: { tree, view }, state }: PanesProps) {
  const { focus: root, search, selected } = state.scene;
  return {
    ...{ reading, tree, root, search, selected },
    pane: view.pane,
    selectedFn: state.selectedFn,
    onSelect: state.select,
    onSelectFunction: state.selectFunction,
    onOpen: state.zoomAndSelect,
    onPoint: state.outline,
  };
}

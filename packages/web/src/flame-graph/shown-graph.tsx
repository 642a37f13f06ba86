import { type CallTree, formatPercent, panelHeight, type SearchResult, wholeOf } from "@flamekeep/flame";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef } from "react";
import { importPage } from "#api/import-page.ts";
import { keyboardOverview } from "#keyboard/open-state.ts";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { graphHeight } from "./canvas/graph-height.ts";
import { useHasAllFrames } from "./decode/all-frames.ts";
import { DetailsBar } from "./frame/details-bar.tsx";
import { spokenFrame } from "./frame/frame-text.ts";
import { GraphPane } from "./graph-pane.tsx";
import { GraphSteps } from "./graph-steps.tsx";
import { functionSums } from "./selection/sums.ts";
import { Legend } from "./toolbar/legend.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { CallersPane } from "./transforms/callers-pane.tsx";
import { HalfHeading } from "./transforms/half-heading.tsx";
import { loadTransforms } from "./transforms/lazy-parts.tsx";
import { NothingLeft } from "./transforms/nothing-left.tsx";
import { halfHeight } from "./transforms/sandwich-view.ts";
import { treeNotice, treeSummary } from "./transforms/summary.ts";
import { DetailsOfHalf, functionRefAt, type UpperHalf, useUpperHalf } from "./transforms/upper-half.tsx";
import { useTransformKeys } from "./transforms/use-transform-keys.ts";
import { useGraphShortcuts } from "./use-graph-shortcuts.ts";
import { useKeptView } from "./use-kept-view.ts";
import { useWorkspace, type WorkspaceParts, type WorkspaceState } from "./use-workspace.ts";

// Most people look at the graph only.
const CallTreePane = lazy(async () => ({
  default: (await importPage(() => import("./call-tree/call-tree.tsx"))).CallTreePane,
}));
const FunctionTable = lazy(async () => ({
  default: (await importPage(() => import("./table/function-table.tsx"))).FunctionTable,
}));

export interface ShownGraphProps
  extends Pick<WorkspaceParts, "profileId" | "title" | "view" | "onViewChange"> {
  readonly tree: CallTree;
  /** The tree before the transforms. */
  readonly source: CallTree;
  /** The upper half of a sandwich, whose lower one is `tree`. */
  readonly callers: CallTree | null;
  /** Whether `tree` has the transforms of the view; false while that one is computed. */
  readonly isCurrent: boolean;
  /** The tree before the transforms by stored frame, for exports. */
  readonly readStored: () => Promise<CallTree>;
  readonly onRefresh: () => void;
  readonly actions: ReactNode;
  readonly transformItems?: ReactNode;
  readonly note?: string | undefined;
}

/** The share of a search's matches, as text. */
function shareIn(tree: CallTree) {
  return ({ value, isLeast }: SearchResult) =>
    `${isLeast ? "at least " : ""}${formatPercent(value, wholeOf(tree))}`;
}

/** The stacks of the drawing by stored frame. */
async function storedTree({ readStored, callers, view }: ShownGraphProps): Promise<CallTree> {
  const [stored, transforms] = await Promise.all([readStored(), loadTransforms()]);
  return callers === null
    ? transforms.transformedTree(stored, view.transforms).shown
    : transforms.treeThrough(stored, view.transforms);
}

/** The drawing with everything around it: toolbar, details, steps, path, table. */
export function ShownGraph(shown: ShownGraphProps) {
  const view = useKeptView(shown.tree, shown.callers, shown.view, shown.isCurrent);
  const props = { ...shown, view };
  const { source, tree, callers, profileId, onViewChange, onRefresh, actions } = props;
  const state = useWorkspace({
    tree,
    profileId,
    ...(props.title !== undefined && { title: props.title }),
    view,
    onViewChange,
    isHalf: callers !== null,
    callers: callers && {
      tree: callers,
      scheme: view.scheme,
      look: undefined,
      tooltipOf: undefined,
      stacks: async () => (await loadTransforms()).treeThrough(source, view.transforms),
    },
    stored: () => storedTree(props),
  });
  const { scene, change } = state;
  const searchInput = useRef<HTMLInputElement>(null);
  const upper = useUpperHalf(callers, scene.selected, () => state.select(-1));
  const summary = useMemo(() => treeSummary(tree, source), [tree, source]);
  const sumsOf = useCallback((fn: number) => functionSums(tree, fn), [tree]);
  useGraphShortcuts(state, upper, { searchInput, onRefresh });
  useTransformKeys(
    view.transforms,
    (to) => change({ do: "transform", to }),
    () => functionRefAt(callers, upper.selected) ?? state.selectedRef,
  );

  return (
    <div className="divide-y divide-line">
      {/* Sticks below the page's header, which is 4rem high, and its toolbar. On phones only the details stick. */}
      <div
        className={cx(
          "divide-y divide-line bg-surface max-md:contents md:sticky md:top-[var(--sticky-top,4rem)] md:z-20",
          // Over the empty space above the first frame.
          view.pane === "graph" && !view.legend && callers === null && "md:-mb-5",
        )}
      >
        <Toolbar
          view={view}
          change={change}
          tree={tree}
          search={{ result: scene.search, shareOf: shareIn(tree), onStep: state.stepMatch }}
          searchRef={searchInput}
          functions={source.functions}
          onExport={state.saveAs}
          onHelp={keyboardOverview.open}
          actions={actions}
          transformItems={props.transformItems}
        />
        <DetailsOfHalf
          upper={upper}
          tree={tree}
          hover={state.hover}
          node={scene.selected === -1 ? scene.zoom : scene.selected}
          render={(half) => <DetailsBar {...half} />}
        />
        <GraphSteps {...{ view, state, summary, sumsOf }} notice={treeNotice(source)} note={props.note} />
      </div>
      {view.legend && (
        <Legend
          scheme={view.scheme}
          tree={tree}
          search={view.search}
          onSearch={(text) => change({ do: "search", text })}
        />
      )}
      {tree.length < 2 || tree.width[0]! <= 0 ? <NothingLeft /> : <Panes {...props} {...{ state, upper }} />}
      <Spoken tree={tree} node={scene.selected} upper={upper} />
      <p aria-live="polite" className="sr-only">
        {view.transforms === "" ? "" : summary}
      </p>
    </div>
  );
}

interface PanesProps extends Pick<ShownGraphProps, "tree" | "profileId" | "view" | "onViewChange"> {
  readonly state: WorkspaceState;
  readonly upper: UpperHalf;
}

/** The table, the graph, both, or the call tree; the graph has two halves in a sandwich. */
function Panes({ tree, profileId, view, onViewChange, state, upper }: PanesProps) {
  const isHalf = upper.tree !== null;
  // With a table, the panel has its full height.
  const heightPx = useMemo(() => {
    if (isHalf) return halfHeight(tree, "callees");
    return view.pane === "graph" ? graphHeight(tree) : panelHeight;
  }, [tree, view.pane, isHalf]);
  return (
    <div className={cx(view.pane === "both" && "grid lg:grid-cols-2 lg:divide-x lg:divide-line")}>
      {view.pane !== "graph" && (
        <div style={{ height: panelHeight }}>
          <Suspense fallback={<Skeleton className="h-full w-full" />}>
            <Rows tree={tree} view={view} state={state} />
          </Suspense>
        </div>
      )}
      {(view.pane === "graph" || view.pane === "both") && (
        <div className="min-w-0">
          {upper.tree !== null && (
            <CallersPane
              // Its zoom belongs to one tree.
              key={view.transforms}
              {...{ tree: upper.tree, profileId, view, onViewChange, hover: upper.hover }}
              selection={{ node: upper.selected, onSelect: upper.select }}
            />
          )}
          {isHalf && <HalfHeading text="Callees" />}
          <GraphPane {...{ state, heightPx, isHalf }} label={isHalf ? "Callees" : "Flame graph"} />
        </div>
      )}
    </div>
  );
}

/** Functions in a table, or the stacks as a tree. */
function Rows({ tree, view, state }: Pick<PanesProps, "tree" | "view" | "state">) {
  const { scene } = state;
  if (!useHasAllFrames())
    return (
      <SkeletonBlocks
        label="Loading all frames"
        count={14}
        className="h-3.5 w-full"
        layoutClass="flex flex-col gap-5.5 px-4 py-14"
      />
    );
  if (view.pane === "tree") {
    return (
      <CallTreePane
        tree={tree}
        root={scene.focus}
        search={scene.search}
        heightPx={panelHeight}
        selected={scene.selected}
        onSelect={state.select}
        onOpen={state.zoomAndSelect}
        onPoint={state.outline}
      />
    );
  }
  return (
    <FunctionTable
      tree={tree}
      root={scene.focus}
      search={scene.search}
      heightPx={panelHeight}
      selectedFn={state.selectedFn}
      onSelect={state.selectFunction}
      onPoint={state.outline}
    />
  );
}

/** The selected frame, for screen readers. */
function Spoken({ tree, node, upper }: { tree: CallTree; node: number; upper: UpperHalf }) {
  const [of, at] = upper.tree !== null && upper.selected !== -1 ? [upper.tree, upper.selected] : [tree, node];
  return (
    <p aria-live="polite" className="sr-only">
      {at === -1 ? "" : spokenFrame(of, at)}
    </p>
  );
}

import type { FlameView, SearchResult } from "@flamekeep/flame";
import { type ComparedTree, type Comparison, layOut, matchedTotals } from "@flamekeep/flame/compare";
import { lazy, type ReactNode, Suspense, useCallback, useMemo, useRef } from "react";
import { importPage } from "#api/import-page.ts";
import { graphHeight } from "#flame-graph/canvas/graph-height.ts";
import { ExportMenu } from "#flame-graph/export/export-menu.tsx";
import { GraphPane } from "#flame-graph/graph-pane.tsx";
import { GraphSteps } from "#flame-graph/graph-steps.tsx";
import { GraphSearch } from "#flame-graph/search/graph-search.tsx";
import { CallersPane } from "#flame-graph/transforms/callers-pane.tsx";
import { HalfHeading } from "#flame-graph/transforms/half-heading.tsx";
import { loadTransforms } from "#flame-graph/transforms/lazy-parts.tsx";
import { NothingLeft } from "#flame-graph/transforms/nothing-left.tsx";
import { halfHeight } from "#flame-graph/transforms/sandwich-view.ts";
import { comparisonNotice, comparisonSummary } from "#flame-graph/transforms/summary.ts";
import { TransformMenu } from "#flame-graph/transforms/transform-menu.tsx";
import {
  DetailsOfHalf,
  functionRefAt,
  type UpperHalf,
  useUpperHalf,
} from "#flame-graph/transforms/upper-half.tsx";
import { useTransformKeys } from "#flame-graph/transforms/use-transform-keys.ts";
import { useGraphShortcuts } from "#flame-graph/use-graph-shortcuts.ts";
import { useKeptView } from "#flame-graph/use-kept-view.ts";
import { useWorkspace, type WorkspaceState } from "#flame-graph/use-workspace.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ChangeDetails } from "./change-details.tsx";
import { ChangeLegend } from "./change-legend.tsx";
import { changeSentence, changeSums, changeTooltip, matchedShares, type Scaling } from "./change-text.ts";
import { SidePane } from "./side-pane.tsx";
import { type DrawnComparison, drawnView, linkedView, useDrawn, useDrawnOf } from "./use-layouts.ts";

// Below the graph, which does not wait for it.
const ChangeRows = lazy(async () => ({
  default: (await importPage(() => import("./change-rows.tsx"))).ChangeRows,
}));

export interface ShownComparisonProps {
  readonly comparison: Comparison;
  /** The comparison before the transforms. */
  readonly source: Comparison;
  /** The upper half of a sandwich, whose lower one is `comparison`. */
  readonly callers: Comparison | null;
  /** Whether `comparison` has the transforms of the view; false while that one is computed. */
  readonly isCurrent: boolean;
  readonly scaling: Scaling;
  /** Prefix of the names of exported files. */
  readonly name: string;
  /** Heading of exported pages: services, type and both times. */
  readonly title: string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  readonly isSideBySide: boolean;
  /** More controls for the toolbar. */
  readonly actions: ReactNode;
  /** More items for the menu of transforms. */
  readonly transformItems?: ReactNode;
  /** The comparison before the transforms by stored frame, for exports. */
  readonly readStored: () => Promise<Comparison>;
  readonly onRefresh: () => void;
}

/** Two flame graphs as one, or next to each other, with the colours' meaning, search, exports and the table of functions. */
export function ShownComparison(shown: ShownComparisonProps) {
  const { comparison, source, callers, scaling, name } = shown;
  const { tree, look } = useDrawn(comparison, scaling, "both");
  const upperDrawn = useDrawnOf(callers, scaling);
  const isHalf = callers !== null;
  const { view, onViewChange } = useDrawnView(shown, tree, upperDrawn?.tree ?? null);
  const props = { ...shown, view, onViewChange };
  const state = useWorkspace({
    tree,
    profileId: name,
    title: shown.title,
    view,
    onViewChange,
    look,
    tooltipOf: (node) => changeTooltip(tree, scaling, node),
    isHalf,
    callers: upperDrawn && {
      tree: upperDrawn.tree,
      look: upperDrawn.look,
      scheme: view.scheme,
      tooltipOf: (node) => changeTooltip(upperDrawn.tree, scaling, node),
      stacks: async () =>
        layOut((await loadTransforms()).comparisonThrough(source, view.transforms), scaling.scale),
    },
    stored: async () => {
      const [stored, transforms] = await Promise.all([shown.readStored(), loadTransforms()]);
      const transformed = isHalf
        ? transforms.comparisonThrough(stored, view.transforms)
        : transforms.transformedComparison(stored, view.transforms).shown;
      return layOut(transformed, scaling.scale);
    },
  });
  const { scene, change } = state;
  const upper = useUpperHalf(upperDrawn?.tree ?? null, scene.selected, () => state.select(-1));
  const summary = useMemo(() => comparisonSummary(comparison, source), [comparison, source]);
  const notice = useMemo(() => comparisonNotice(source), [source]);
  const sumsOf = useCallback((fn: number) => changeSums(tree, scaling, fn), [tree, scaling]);
  const transform = (to: string) => change({ do: "transform", to });
  const upperTree = upperDrawn?.tree ?? null;
  useTransformKeys(
    view.transforms,
    transform,
    () => functionRefAt(upperTree, upper.selected) ?? state.selectedRef,
  );

  return (
    <div className="divide-y divide-line">
      <div className="divide-y divide-line bg-surface max-md:contents md:sticky md:top-16 md:z-20">
        <ComparisonToolbar {...props} {...{ tree, state, upper }} />
        <DetailsOfHalf
          upper={{ ...upper, tree: upperTree }}
          tree={tree}
          hover={state.hover}
          node={scene.selected === -1 ? scene.zoom : scene.selected}
          render={(half) => <ChangeDetails {...half} scaling={scaling} />}
        />
        <GraphSteps {...{ view, state, summary, notice, sumsOf }} />
      </div>
      <ChangeLegend isRelative={scaling.changeUnit !== undefined} />
      {tree.length < 2 || tree.width[0]! <= 0 ? (
        <NothingLeft />
      ) : (
        <>
          {upperDrawn !== null && <ComparedCallers {...props} drawn={upperDrawn} upper={upper} />}
          <ComparedGraphs {...props} {...{ tree, state }} />
          <Suspense fallback={<Skeleton className="h-[33rem] w-full" />}>
            <ChangeRows {...{ tree, scaling, view, state }} />
          </Suspense>
        </>
      )}
      <p aria-live="polite" className="sr-only">
        {upperTree !== null && upper.selected !== -1
          ? spokenChange(upperTree, scaling, upper.selected)
          : spokenChange(tree, scaling, scene.selected)}
      </p>
      <p aria-live="polite" className="sr-only">
        {view.transforms === "" ? "" : summary}
      </p>
    </div>
  );
}

/** The view in the drawings on screen, whose siblings have another order than the comparison's. */
function useDrawnView(
  { comparison, callers, isCurrent, view: linked, onViewChange }: ShownComparisonProps,
  tree: ComparedTree,
  upper: ComparedTree | null,
) {
  const view = useKeptView(comparison, callers, linked, isCurrent);
  const drawings = useMemo(
    () => ({
      comparison,
      tree,
      callers: callers !== null && upper !== null ? { comparison: callers, tree: upper } : null,
    }),
    [comparison, tree, callers, upper],
  );
  return {
    view: useMemo(() => drawnView(view, drawings), [view, drawings]),
    onViewChange: (next: FlameView) => onViewChange(linkedView(next, drawings)),
  };
}

function spokenChange(tree: ComparedTree, scaling: Scaling, node: number): string {
  return node === -1 ? "" : changeTooltip(tree, scaling, node);
}

interface PartProps extends ShownComparisonProps {
  readonly tree: ComparedTree;
  readonly state: WorkspaceState;
}

interface ToolbarProps extends PartProps {
  readonly upper: UpperHalf;
}

function ComparisonToolbar(props: ToolbarProps) {
  const { tree, state, upper, source, view, actions, onRefresh } = props;
  const { scene, change } = state;
  const searchInput = useRef<HTMLInputElement>(null);
  useGraphShortcuts(state, upper, { searchInput, onRefresh });
  const shareOf = useCallback(
    ({ matches, isLeast }: SearchResult) =>
      `${isLeast ? "at least " : ""}${matchedShares(source, matchedTotals(tree, matches))}`,
    [source, tree],
  );

  return (
    <div role="toolbar" aria-label="Comparison" className="flex flex-wrap items-center gap-2 px-4 py-1.5">
      <GraphSearch
        {...{ tree, view, change }}
        result={scene.search}
        shareOf={shareOf}
        hasTwoShares
        inputRef={searchInput}
        onStep={state.stepMatch}
      />
      {actions}
      <TransformMenu
        functions={source.functions}
        text={view.transforms}
        search={view.search}
        onChange={(to) => change({ do: "transform", to })}
      >
        {props.transformItems}
      </TransformMenu>
      <ExportMenu onExport={state.saveAs} />
    </div>
  );
}

interface ComparedCallersProps extends ShownComparisonProps {
  readonly drawn: DrawnComparison;
  readonly upper: UpperHalf;
}

function ComparedCallers({ drawn, upper, scaling, name, view, onViewChange }: ComparedCallersProps) {
  return (
    <CallersPane
      key={view.transforms}
      tree={drawn.tree}
      look={drawn.look}
      profileId={name}
      view={view}
      onViewChange={onViewChange}
      hover={upper.hover}
      selection={{ node: upper.selected, onSelect: upper.select }}
      summaryOf={(node) => changeSentence(drawn.tree, scaling, node)}
    />
  );
}

function ComparedGraphs({
  comparison,
  callers,
  scaling,
  name,
  view,
  onViewChange,
  isSideBySide,
  tree,
  state,
}: PartProps) {
  if (!isSideBySide)
    return (
      <div>
        {callers !== null && <HalfHeading text="Callees" />}
        <GraphPane
          state={state}
          heightPx={callers === null ? graphHeight(tree) : halfHeight(tree, "callees")}
          isHalf={callers !== null}
          label={callers === null ? "Comparison" : "Callees"}
          summaryOf={(node) => changeSentence(tree, scaling, node)}
        />
      </div>
    );
  return (
    <div>
      {callers !== null && <HalfHeading text="Callees" />}
      <div className="grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x">
        {(["before", "after"] as const).map((side) => (
          <SidePane
            key={side}
            {...{ comparison, scaling, side, view, onViewChange }}
            both={tree}
            isHalf={callers !== null}
            selected={state.scene.selected}
            onSelect={state.select}
            name={name}
          />
        ))}
      </div>
    </div>
  );
}

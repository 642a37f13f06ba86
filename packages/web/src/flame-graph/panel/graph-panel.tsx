import { type FlameView, functionNamed } from "@flamekeep/flame";
import type { Transform } from "@flamekeep/flame/transform";
import { Flame } from "lucide-react";
import { type ComponentType, type ReactNode, useCallback, useMemo, useRef } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { DetailsBar } from "#flame-graph/frame/details-bar.tsx";
import { drawnOf, drawnView, linkedView } from "#flame-graph/reading/drawing.ts";
import type { DrawnTree, Graph, Reading } from "#flame-graph/reading/reading.ts";
import { loadTransforms } from "#flame-graph/transforms/lazy-parts.tsx";
import { useTransformed } from "#flame-graph/transforms/use-transformed.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Message } from "#ui/content/message.tsx";
import { Skeleton, SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { functionRefAt, type UpperHalf, useUpperHalf } from "./callers-pane.tsx";
import { type Drawings, Panes, type SidesProps } from "./graph-panes.tsx";
import { GraphSteps } from "./graph-steps.tsx";
import { Legend } from "./legend.tsx";
import { Toolbar } from "./toolbar.tsx";
import { useKeptView } from "./use-kept-view.ts";
import { useWorkspace, type WorkspaceParts, type WorkspaceState } from "./use-workspace.ts";

export interface GraphPanelProps {
  /** The graph before the transforms. */
  readonly graph: Graph;
  readonly reading: Reading;
  /** Prefix of the names of exported files. */
  readonly name: string;
  /** Heading of exported pages: service, type and time. By default the prefix of their names. */
  readonly title?: string | undefined;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  /** The graph before the transforms by stored frame, for exports. */
  readonly readStored: () => Promise<Graph>;
  readonly onRefresh: () => void;
  /** More controls for the toolbar. */
  readonly actions: ReactNode;
  /** More items for the menu of transforms. */
  readonly transformItems?: ReactNode;
  /** How to read the values, in a sentence, where there is room for it. */
  readonly note?: string | undefined;
  /** Leaves the row of the steps out until there is one, which then covers the root. */
  readonly isCompact?: boolean;
  /** Draws the sides of a comparison next to each other, in place of one graph. */
  readonly sides?: ComponentType<SidesProps> | undefined;
  /** Above the toolbar. */
  readonly head?: (parts: HeadParts) => ReactNode;
  /** Next to the legend of a comparison. */
  readonly legendControls?: ReactNode;
}

/** A head reads and changes these. */
export interface HeadParts {
  /** The whole graph as it is drawn without the transforms. */
  readonly whole: DrawnTree;
  readonly selectedFunction: string;
  /** Finds a function in the whole graph; an empty name selects none. */
  readonly onSelect: (name: string) => void;
  /** Outlines a function in the graph; an empty name none. */
  readonly onPoint: (name: string) => void;
}

/** A graph after the transforms of the view, with everything around it: toolbar, details, steps, path, legend, rows. */
export function GraphPanel({ graph, ...props }: GraphPanelProps) {
  const { transforms } = props.view;
  const isWaiting = !useHasAllFrames() && transforms !== "";
  const transformed = useTransformed(graph, isWaiting ? "" : transforms);
  if (transformed !== undefined && !isWaiting)
    return <ShownGraph {...props} {...transformed} source={graph} />;
  if (props.reading.isCompared) return <Skeleton className="h-[40rem] w-full" />;
  return <SkeletonBlocks label="Loading all frames" count={1} className="h-[56.5rem] w-full" />;
}

interface ShownGraphProps extends Omit<GraphPanelProps, "graph"> {
  /** The graph before the transforms. */
  readonly source: Graph;
  readonly shown: Graph;
  /** The upper half of a sandwich, whose lower one is `shown`. */
  readonly callers: Graph | null;
  /** Whether `shown` has the transforms of the view; false while that one is computed. */
  readonly isCurrent: boolean;
}

function ShownGraph(props: ShownGraphProps) {
  const { reading, source, shown, onRefresh } = props;
  const { sentences } = reading;
  const drawn = useDrawings(props);
  const { tree, view } = drawn;
  const state = useWorkspace(workspaceParts(props, drawn));
  const { scene, change } = state;
  const searchInput = useRef<HTMLInputElement>(null);
  const upper = useUpperHalf(drawn.callers?.tree ?? null, scene.selected, () => state.select(-1));
  const summary = useMemo(() => sentences.summary(shown, source), [sentences, shown, source]);
  const notice = useMemo(() => sentences.notice(source), [sentences, source]);
  const sumsOf = useCallback((fn: number) => sentences.sums(tree, fn), [sentences, tree]);
  usePanelShortcuts(state, upper, { searchInput, onRefresh });
  const hasNoRow = props.isCompact === true && isWhole(view);
  const hasLegend = reading.colours !== undefined || view.legend;
  return (
    <div className="divide-y divide-line">
      {props.head?.(headParts(props, state))}
      {/* Sticks below the page's header, which is 4rem high, and its toolbar. On phones only the details stick. */}
      <div
        className={cx(
          "divide-y divide-line bg-surface max-md:contents md:sticky md:top-[var(--sticky-top,4rem)] md:z-20",
          // Over the empty space above the first frame.
          view.pane === "graph" &&
            !hasLegend &&
            upper.tree === null &&
            (props.isCompact && !hasNoRow ? "md:-mb-11" : "md:-mb-5"),
        )}
      >
        <Toolbar {...props} {...{ view, tree, state }} searchRef={searchInput} />
        <DetailsBar
          reading={reading}
          lower={{ tree, hover: state.hover, selected: scene.selected }}
          zoom={scene.zoom}
          upper={upper}
          onSelectFunction={state.selectFunction}
        />
        <div className={cx(hasNoRow && "md:hidden")}>
          <GraphSteps {...{ view, state, summary, notice, sumsOf }} note={props.note} />
        </div>
      </div>
      <GraphLegend {...{ reading, tree, view, change }} controls={props.legendControls} />
      {tree.length < 2 || tree.width[0]! <= 0 ? (
        <NothingLeft />
      ) : (
        <Panes {...{ reading, shown, drawn, state, upper }} name={props.name} sides={props.sides} />
      )}
      <p aria-live="polite" className="sr-only">
        {spokenFrame(reading, tree, scene.selected, upper)}
      </p>
      <p aria-live="polite" className="sr-only">
        {view.transforms === "" ? "" : summary}
      </p>
    </div>
  );
}

interface GraphLegendProps extends Pick<WorkspaceState, "change"> {
  readonly reading: Reading;
  readonly tree: DrawnTree;
  readonly view: FlameView;
  readonly controls: ReactNode;
}

/** A comparison always has its legend; the one of a scheme can be shown. */
function GraphLegend({ reading, tree, view, change, controls }: GraphLegendProps) {
  if (reading.colours !== undefined)
    return (
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 px-4 py-2">
        {controls}
        {reading.colours.legendOf(tree)}
      </div>
    );
  if (!view.legend) return null;
  return (
    <Legend
      scheme={view.scheme}
      tree={tree}
      search={view.search}
      onSearch={(text) => change({ do: "search", text })}
    />
  );
}

/** Whether nothing is zoomed, transformed or selected. */
function isWhole({ zoom, focus, transforms, selectedFunction }: FlameView): boolean {
  return [zoom, focus, transforms, selectedFunction].every((text) => text === "");
}

function useDrawings(props: ShownGraphProps): Drawings {
  const { reading, shown, callers, isCurrent, onViewChange } = props;
  const lower = useMemo(() => drawnOf(reading, shown), [reading, shown]);
  const upper = useMemo(() => callers && drawnOf(reading, callers), [reading, callers]);
  const kept = useKeptView(shown, callers, props.view, isCurrent);
  const order = useMemo(
    () => ({
      graph: shown,
      tree: lower.tree,
      callers: callers && upper && { graph: callers, tree: upper.tree },
    }),
    [shown, lower.tree, callers, upper],
  );
  return {
    ...lower,
    callers: upper,
    view: useMemo(() => drawnView(kept, order), [kept, order]),
    onViewChange: (next) => onViewChange(linkedView(next, order)),
  };
}

/** The graph of the panel for its state and for exports. */
function workspaceParts(props: ShownGraphProps, drawn: Drawings): WorkspaceParts {
  const { reading, source, name, title, readStored } = props;
  const { tree, look, view, onViewChange, callers } = drawn;
  const { tooltip } = reading.sentences;
  const tooltipOf = (of: DrawnTree) => tooltip && ((node: number) => tooltip(of, node));
  return {
    tree,
    look,
    name,
    title,
    view,
    onViewChange,
    tooltipOf: tooltipOf(tree),
    isHalf: callers !== null,
    callers: callers && {
      ...callers,
      scheme: view.scheme,
      tooltipOf: tooltipOf(callers.tree),
      stacks: async () => reading.drawn((await loadTransforms()).throughFunction(source, view.transforms)),
    },
    async stored() {
      const [stored, { transformed, throughFunction }] = await Promise.all([readStored(), loadTransforms()]);
      return reading.drawn(
        callers === null
          ? transformed(stored, view.transforms).shown
          : throughFunction(stored, view.transforms),
      );
    },
  };
}

function headParts({ reading, source }: ShownGraphProps, state: WorkspaceState): HeadParts {
  const { tree } = state.scene;
  return {
    whole: reading.drawn(source),
    selectedFunction: state.view.selectedFunction,
    onSelect: (name) =>
      state.change(name === "" ? { do: "select function", name } : { do: "find function", name }),
    onPoint: (name) => state.outline(name === "" ? -1 : functionNamed(tree, name)),
  };
}

/** The selected frame, for screen readers. */
function spokenFrame({ sentences }: Reading, tree: DrawnTree, selected: number, upper: UpperHalf): string {
  if (upper.tree !== null && upper.selected !== -1) return sentences.spoken(upper.tree, upper.selected);
  return selected === -1 ? "" : sentences.spoken(tree, selected);
}

/** In place of a graph without frames after the transforms. */
function NothingLeft() {
  return (
    <Message icon={Flame} title="No frames match">
      <p>No frames match these transforms. Undo the last one, or remove another.</p>
    </Message>
  );
}

interface ShortcutTargets {
  readonly searchInput: { readonly current: HTMLInputElement | null };
  readonly onRefresh: () => void;
}

/** Keys of the whole page. */
function usePanelShortcuts(state: WorkspaceState, upper: UpperHalf, to: ShortcutTargets): void {
  const { transforms } = state.view;
  const change = (next: string) => state.change({ do: "transform", to: next });
  const toggle = (transform: Transform) =>
    void loadTransforms().then(({ toggled }) => change(toggled(transforms, transform)), console.warn);
  useShortcuts({
    find: () => to.searchInput.current?.focus(),
    reset: () => {
      upper.select(-1);
      state.reset();
    },
    refresh: to.onRefresh,
    saveSvg: () => state.saveAs("svg"),
    nextMatch: () => state.stepMatch(1),
    previousMatch: () => state.stepMatch(-1),
    invert: () => toggle({ name: "invert" }),
    sandwich: () => {
      const ref = functionRefAt(upper.tree, upper.selected) ?? state.selectedRef;
      if (ref !== undefined) toggle({ name: "sandwich", target: { by: "function", text: ref } });
    },
    undoTransform: () => {
      if (transforms !== "")
        void loadTransforms().then(({ undone }) => change(undone(transforms)), console.warn);
    },
  });
}

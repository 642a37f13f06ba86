import { panelHeight, wholeOf } from "@flamekeep/flame";
import { lazy, type ReactNode, Suspense, useMemo, useRef } from "react";
import { importPage } from "#api/import-page.ts";
import { keyboardOverview } from "#keyboard/open-state.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { cx } from "#ui/cx.ts";
import { graphHeight } from "./canvas/graph-height.ts";
import { DetailsBar } from "./frame/details-bar.tsx";
import { spokenFrame } from "./frame/frame-text.ts";
import { ZoomPath } from "./frame/zoom-path.tsx";
import { GraphPane } from "./graph-pane.tsx";
import { Legend } from "./toolbar/legend.tsx";
import { Toolbar } from "./toolbar/toolbar.tsx";
import { useWorkspace, type WorkspaceParts } from "./use-workspace.ts";

// Most people look at the graph only.
const FunctionTable = lazy(async () => ({
  default: (await importPage(() => import("./table/function-table.tsx"))).FunctionTable,
}));

interface WorkspaceProps extends WorkspaceParts {
  readonly onRefresh: () => void;
  readonly actions: ReactNode;
}

export function Workspace({ onRefresh, actions, ...parts }: WorkspaceProps) {
  const { tree, view } = parts;
  const state = useWorkspace(parts);
  const { scene, change, zoomTo } = state;
  const searchInput = useRef<HTMLInputElement>(null);

  // With a table, the panel has its full height.
  const heightPx = useMemo(
    () => (view.pane === "graph" ? graphHeight(tree) : panelHeight),
    [tree, view.pane],
  );

  useShortcuts({
    find: () => searchInput.current?.focus(),
    reset: state.reset,
    refresh: onRefresh,
    saveSvg: state.saveAs.svg,
    legend: () => change({ do: "legend" }),
    nextMatch: () => state.stepMatch(1),
    previousMatch: () => state.stepMatch(-1),
  });

  return (
    <div className="divide-y divide-line">
      {/* Sticks below the page's header, which is 4rem high, and its toolbar. On phones only the details stick. */}
      <div className="divide-y divide-line bg-surface max-md:contents md:sticky md:top-[var(--sticky-top,4rem)] md:z-20">
        <Toolbar
          view={view}
          change={change}
          search={{ result: scene.search, whole: wholeOf(tree), onStep: state.stepMatch }}
          searchRef={searchInput}
          onExport={state.saveAs}
          onHelp={keyboardOverview.open}
          actions={actions}
        />
        <DetailsBar
          tree={tree}
          hover={state.hover}
          node={scene.selected === -1 ? scene.zoom : scene.selected}
        />
      </div>
      <ZoomPath tree={tree} zoom={scene.zoom} onZoom={zoomTo} onReset={() => change({ do: "reset zoom" })} />
      {view.legend && <Legend scheme={view.scheme} />}
      <div className={cx(view.pane === "both" && "grid lg:grid-cols-2 lg:divide-x lg:divide-line")}>
        {view.pane !== "graph" && (
          <div style={{ height: panelHeight }}>
            <Suspense fallback={<Skeleton className="h-full w-full" />}>
              <FunctionTable
                tree={tree}
                root={scene.focus}
                search={scene.search}
                heightPx={panelHeight}
                onPick={(fn) => change({ do: "search", text: tree.functions.name[fn]! })}
                onPoint={state.outline}
              />
            </Suspense>
          </div>
        )}
        {view.pane !== "table" && <GraphPane state={state} heightPx={heightPx} />}
      </div>
      <p aria-live="polite" className="sr-only">
        {scene.selected === -1 ? "" : spokenFrame(tree, scene.selected)}
      </p>
    </div>
  );
}

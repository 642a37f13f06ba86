import { type FlameView, wholeOf } from "@flamekeep/flame";
import type { Comparison } from "@flamekeep/flame/compare";
import { Download } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { graphHeight } from "#flame-graph/canvas/graph-height.ts";
import { ZoomPath } from "#flame-graph/frame/zoom-path.tsx";
import { GraphPane } from "#flame-graph/graph-pane.tsx";
import { SearchBox } from "#flame-graph/search/search-box.tsx";
import { useWorkspace } from "#flame-graph/use-workspace.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { showToast } from "#ui/overlays/toast.ts";
import { ChangeDetails } from "./change-details.tsx";
import { ChangeLegend } from "./change-legend.tsx";
import { ChangeTable } from "./change-table.tsx";
import { changeSentence, frameName, type Scaling } from "./change-text.ts";
import { saveCompared } from "./save-compared.ts";
import { SidePane } from "./side-pane.tsx";
import { useDrawn } from "./use-layouts.ts";

interface ComparisonWorkspaceProps {
  readonly comparison: Comparison;
  readonly scaling: Scaling;
  /** Prefix of the names of exported files. */
  readonly name: string;
  readonly view: FlameView;
  readonly onViewChange: (view: FlameView) => void;
  readonly isSideBySide: boolean;
  /** More controls for the toolbar. */
  readonly actions: ReactNode;
  readonly onRefresh: () => void;
}

/** Two flame graphs as one, or next to each other, with the colours' meaning, search, exports and the table of functions. */
export function ComparisonWorkspace(props: ComparisonWorkspaceProps) {
  const { comparison, scaling, name, view, onViewChange, isSideBySide, actions, onRefresh } = props;
  const { tree, look } = useDrawn(comparison, scaling, "both");
  const state = useWorkspace({ tree, profileId: name, view, onViewChange, look });
  const { scene, change, zoomTo } = state;
  const searchInput = useRef<HTMLInputElement>(null);
  const shownNode = scene.selected === -1 ? scene.zoom : scene.selected;

  useShortcuts({
    find: () => searchInput.current?.focus(),
    reset: state.reset,
    refresh: onRefresh,
    saveSvg: state.saveAs.svg,
    nextMatch: () => state.stepMatch(1),
    previousMatch: () => state.stepMatch(-1),
  });

  function saveText() {
    if (!saveCompared(tree, scene.focus, name))
      showToast("Too large as text: focus on a subtree first", "critical");
  }

  return (
    <div className="divide-y divide-line">
      <div className="divide-y divide-line bg-surface max-md:contents md:sticky md:top-16 md:z-20">
        <div role="toolbar" aria-label="Comparison" className="flex flex-wrap items-center gap-2 px-4 py-1.5">
          <SearchBox
            text={view.search}
            result={scene.search}
            whole={wholeOf(tree)}
            inputRef={searchInput}
            onSearch={(text) => change({ do: "search", text })}
            onStep={state.stepMatch}
          />
          {actions}
          <Menu
            trigger={
              <Button variant="secondary" size="sm" className="h-8">
                <Download aria-hidden className="size-4" strokeWidth={1.75} />
                <span className="max-sm:sr-only">Export</span>
              </Button>
            }
          >
            <MenuItem onSelect={state.saveAs.svg}>SVG picture</MenuItem>
            <MenuItem onSelect={state.saveAs.png}>PNG picture</MenuItem>
            <MenuItem onSelect={saveText}>Folded stacks, both values</MenuItem>
          </Menu>
        </div>
        <ChangeDetails tree={tree} scaling={scaling} hover={state.hover} node={shownNode} />
      </div>
      <ZoomPath tree={tree} zoom={scene.zoom} onZoom={zoomTo} onReset={() => change({ do: "reset zoom" })} />
      <ChangeLegend />
      {isSideBySide ? (
        <div className="grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x">
          {(["before", "after"] as const).map((side) => (
            <SidePane
              key={side}
              {...{ comparison, scaling, side, view, onViewChange }}
              both={tree}
              selected={scene.selected}
              onSelect={state.select}
              name={name}
            />
          ))}
        </div>
      ) : (
        <GraphPane
          state={state}
          heightPx={graphHeight(tree)}
          label="Comparison"
          summaryOf={(node) => changeSentence(tree, scaling, node)}
        />
      )}
      <ChangeTable
        tree={tree}
        scaling={scaling}
        root={scene.focus}
        search={scene.search}
        onPick={(fn) => change({ do: "search", text: tree.functions.name[fn]! })}
        onPoint={state.outline}
      />
      <p aria-live="polite" className="sr-only">
        {scene.selected === -1
          ? ""
          : `${frameName(tree, scene.selected)}: ${changeSentence(tree, scaling, scene.selected)}`}
      </p>
    </div>
  );
}

import {
  type FlameAction,
  type FlameView,
  type Pane,
  type Scheme,
  type SearchResult,
  schemes,
} from "@flamekeep/flame";
import { CircleQuestionMark, Download, List } from "lucide-react";
import { type ReactNode, type RefObject, useCallback } from "react";
import { useHasAllFrames } from "#flame-graph/decode/all-frames.ts";
import { type FormatName, formatNames, formats } from "#flame-graph/export/formats.ts";
import type { DrawnTree, Graph, Reading } from "#flame-graph/reading/reading.ts";
import { GraphSearch } from "#flame-graph/search/search-box.tsx";
import { TransformMenu } from "#flame-graph/transforms/lazy-parts.tsx";
import { keyboardOverview } from "#keyboard/open-state.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Button } from "#ui/controls/button.tsx";
import { Menu, MenuItem } from "#ui/controls/menu.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";
import type { WorkspaceState } from "./use-workspace.ts";

interface ToolbarProps {
  readonly reading: Reading;
  /** The graph before the transforms. */
  readonly source: Graph;
  readonly tree: DrawnTree;
  readonly view: FlameView;
  readonly state: WorkspaceState;
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly actions?: ReactNode;
  readonly transformItems?: ReactNode;
}

export function Toolbar(props: ToolbarProps) {
  const { reading, source, tree, view, state, actions } = props;
  const { label, isCompared, sentences } = reading;
  const { change } = state;
  const shareOf = useCallback(
    (result: SearchResult) => `${result.isLeast ? "at least " : ""}${sentences.share(source, tree, result)}`,
    [sentences, source, tree],
  );
  return (
    <div role="toolbar" aria-label={label} className="flex flex-wrap items-center gap-2 px-4 py-1.5">
      <GraphSearch
        {...{ tree, view, change, shareOf }}
        result={state.scene.search}
        hasTwoShares={isCompared}
        inputRef={props.searchRef}
        onStep={state.stepMatch}
      />
      {actions}
      {!isCompared && <ViewControls {...{ view, change }} />}
      <TransformMenu
        functions={source.functions}
        text={view.transforms}
        search={view.search}
        onChange={(to) => change({ do: "transform", to })}
      >
        {props.transformItems}
      </TransformMenu>
      <ExportMenu onExport={state.saveAs} />
      {!isCompared && (
        <Button
          variant="ghost"
          size="icon"
          className="size-8 max-sm:hidden"
          aria-label="Keyboard shortcuts"
          onClick={keyboardOverview.open}
        >
          <CircleQuestionMark aria-hidden className="size-4" strokeWidth={1.75} />
        </Button>
      )}
    </div>
  );
}

const paneNames: Readonly<Record<Pane, string>> = {
  graph: "Graph",
  table: "Table",
  both: "Both",
  tree: "Tree",
};

const schemeNames: Readonly<Record<Scheme, string>> = {
  heat: "Heat",
  cool: "Cool",
  viridis: "Viridis",
  plasma: "Plasma",
  package: "Package",
  subsystem: "Subsystem",
  language: "Language",
};

const schemeOptions = schemes.map((value) => ({ value, label: schemeNames[value] }));

interface ViewControlsProps {
  readonly view: FlameView;
  readonly change: (action: FlameAction) => void;
}

/** The switches of the rows next to the graph, and of its colours. */
function ViewControls({ view, change }: ViewControlsProps) {
  useShortcuts({ legend: () => change({ do: "legend" }) });
  return (
    <>
      <SegmentedControl
        label="View"
        value={view.pane}
        options={paneNames}
        onChange={(to) => change({ do: "pane", to })}
      />
      <Select
        label="Color scheme"
        size="sm"
        value={view.scheme}
        options={schemeOptions}
        onChange={(to) => change({ do: "scheme", to })}
      />
      <Button
        variant="secondary"
        size="sm"
        className="h-8"
        title="Legend"
        aria-pressed={view.legend}
        onClick={() => change({ do: "legend" })}
      >
        <List aria-hidden className="size-4" strokeWidth={1.75} />
        <span className="max-2xl:sr-only">Legend</span>
      </Button>
    </>
  );
}

/** The files that can be made of a graph. */
export function ExportMenu({ onExport }: { readonly onExport: (format: FormatName) => void }) {
  const hasAllFrames = useHasAllFrames();
  return (
    <Menu
      trigger={
        // Toolbars stay on one line with its icon alone.
        <Button
          variant="secondary"
          size="sm"
          className="h-8"
          title={hasAllFrames ? "Export" : "Export: loading all frames"}
          disabled={!hasAllFrames}
        >
          <Download aria-hidden className="size-4" strokeWidth={1.75} />
          <span className="max-2xl:sr-only">Export</span>
        </Button>
      }
    >
      {formatNames.map((name) => (
        <MenuItem key={name} onSelect={() => onExport(name)}>
          {formats[name].label}
        </MenuItem>
      ))}
    </Menu>
  );
}

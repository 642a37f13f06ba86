import {
  type CallTree,
  type FlameAction,
  type FlameView,
  type FunctionTable,
  type Pane,
  type Scheme,
  type SearchResult,
  schemes,
} from "@flamekeep/flame";
import { CircleQuestionMark, List } from "lucide-react";
import type { ReactNode, RefObject } from "react";
import { ExportMenu } from "#flame-graph/export/export-menu.tsx";
import type { FormatName } from "#flame-graph/export/formats.ts";
import { GraphSearch } from "#flame-graph/search/graph-search.tsx";
import { TransformMenu } from "#flame-graph/transforms/transform-menu.tsx";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Button } from "#ui/controls/button.tsx";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { Select } from "#ui/controls/select.tsx";

interface ToolbarProps {
  readonly view: FlameView;
  readonly change: (action: FlameAction) => void;
  readonly tree: CallTree;
  readonly search: {
    readonly result: SearchResult | null;
    readonly shareOf: (result: SearchResult) => string;
    readonly onStep: (by: 1 | -1) => void;
  };
  readonly searchRef: RefObject<HTMLInputElement | null>;
  readonly functions: FunctionTable;
  readonly onExport: (format: FormatName) => void;
  readonly onHelp: () => void;
  readonly actions?: ReactNode;
  readonly transformItems?: ReactNode;
}

const schemeNames: Readonly<Record<Scheme, string>> = {
  heat: "Heat",
  cool: "Cool",
  viridis: "Viridis",
  plasma: "Plasma",
  package: "Package",
  subsystem: "Subsystem",
};

const schemeOptions = schemes.map((value) => ({ value, label: schemeNames[value] }));

export function Toolbar({
  view,
  change,
  tree,
  search,
  searchRef,
  functions,
  onExport,
  onHelp,
  actions,
  transformItems,
}: ToolbarProps) {
  useShortcuts({ legend: () => change({ do: "legend" }) });
  return (
    <div role="toolbar" aria-label="Flame graph" className="flex flex-wrap items-center gap-2 px-4 py-1.5">
      <GraphSearch {...search} {...{ tree, view, change }} inputRef={searchRef} />
      {actions}
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
      <TransformMenu
        functions={functions}
        text={view.transforms}
        search={view.search}
        onChange={(to) => change({ do: "transform", to })}
      >
        {transformItems}
      </TransformMenu>
      <ExportMenu onExport={onExport} />
      <Button
        variant="ghost"
        size="icon"
        className="size-8 max-sm:hidden"
        aria-label="Keyboard shortcuts"
        onClick={onHelp}
      >
        <CircleQuestionMark aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
    </div>
  );
}

const paneNames: Readonly<Record<Pane, string>> = {
  graph: "Graph",
  table: "Table",
  both: "Both",
  tree: "Tree",
};

import type { FlameView } from "@flamekeep/flame";
import type { ComparedTree } from "@flamekeep/flame/compare";
import type { WorkspaceState } from "#flame-graph/use-workspace.ts";
import { SegmentedControl } from "#ui/controls/segmented-control.tsx";
import { ChangeTable } from "./change-table.tsx";
import type { Scaling } from "./change-text.ts";
import { ComparedCallTree } from "./compared-call-tree.tsx";

interface ChangeRowsProps {
  readonly tree: ComparedTree;
  readonly scaling: Scaling;
  readonly view: FlameView;
  readonly state: WorkspaceState;
}

/** The comparison in rows, below the graph: its functions, or its stacks as a tree. */
export function ChangeRows({ tree, scaling, view, state }: ChangeRowsProps) {
  const { scene } = state;
  const shared = { tree, scaling, root: scene.focus, search: scene.search, onPoint: state.outline };
  const isTree = view.pane === "tree";
  return (
    <div>
      <div className="flex px-4 py-2">
        <SegmentedControl
          className="max-md:h-10"
          label="Rows"
          value={isTree ? "tree" : "graph"}
          options={{ graph: "Functions", tree: "Call tree" }}
          onChange={(to) => state.change({ do: "pane", to })}
        />
      </div>
      {isTree ? (
        <ComparedCallTree
          {...shared}
          selected={scene.selected}
          onSelect={state.select}
          onOpen={state.zoomAndSelect}
        />
      ) : (
        <ChangeTable {...shared} selectedFn={state.selectedFn} onSelect={state.selectFunction} />
      )}
    </div>
  );
}

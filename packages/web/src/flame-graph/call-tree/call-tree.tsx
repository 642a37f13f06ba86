import type { CallTree, SearchResult } from "@flamekeep/flame";
import { ValueCell } from "#flame-graph/rows/value-cell.tsx";
import { CallTreeGrid, type CallTreeGridProps } from "./call-tree-grid.tsx";

type CallTreePaneProps = Omit<CallTreeGridProps, "heads" | "values" | "leftOutValues"> & {
  readonly tree: CallTree;
  readonly search: SearchResult | null;
};

const heads = [
  { label: "Self", className: "w-20 px-2 sm:w-40 sm:px-4" },
  { label: "Total", className: "w-20 px-2 sm:w-40 sm:px-4" },
];

/** The call tree of one graph. */
export function CallTreePane(props: CallTreePaneProps) {
  const { tree } = props;
  return (
    <CallTreeGrid
      {...props}
      heads={heads}
      values={(node) => (
        <>
          <ValueCell tree={tree} value={tree.self[node]!} />
          <ValueCell tree={tree} value={tree.total[node]!} />
        </>
      )}
      leftOutValues={(elision) => (
        <>
          <td />
          <ValueCell tree={tree} value={tree.elisions.total[elision]!} />
        </>
      )}
    />
  );
}

import type { Pane } from "@flamekeep/flame";
import { CallTreeGrid, type CallTreeProps } from "./call-tree.tsx";
import { FunctionTable, type FunctionTableProps } from "./function-table.tsx";

interface RowsProps extends Omit<CallTreeProps, "onSelect">, Pick<FunctionTableProps, "selectedFn"> {
  readonly pane: Pane;
  readonly onSelect: (node: number) => void;
  readonly onSelectFunction: (fn: number) => void;
}

/** The graph in rows: its stacks as a tree, or else its functions. */
export function Rows(props: RowsProps) {
  const { pane, selectedFn, onSelectFunction, ...tree } = props;
  if (pane === "tree") return <CallTreeGrid {...tree} />;
  return <FunctionTable {...tree} selectedFn={selectedFn} onSelect={onSelectFunction} />;
}

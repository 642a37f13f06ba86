import {
  type CallTree,
  callRows,
  hotPath,
  isOpenable,
  openedTo,
  placeOf,
  toggledNode,
} from "@flamekeep/flame";
import { useMemo, useState } from "react";

interface OpenState {
  readonly tree: CallTree;
  readonly root: number;
  /** The selected node to which the rows were opened. */
  readonly selected: number;
  readonly nodes: ReadonlySet<number>;
}

/** The rows of a call tree, opened along its hot path at first and down to each newly selected node. */
export function useCallRows(tree: CallTree, root: number, selected: number) {
  const [state, setState] = useState<OpenState>(() => initial(tree, root));
  let current = state.tree === tree && state.root === root ? state : initial(tree, root);
  if (current.selected !== selected) {
    const nodes = selected === -1 ? current.nodes : openedTo(tree, current.nodes, root, selected);
    current = { ...current, selected, nodes };
  }
  if (current !== state) setState(current);
  const open = current.nodes;
  const rows = useMemo(() => callRows(tree, root, open), [tree, root, open]);
  const cursor = useMemo(() => (selected === -1 ? -1 : rows.node.indexOf(selected)), [rows, selected]);
  return {
    rows,
    cursor,
    isOpen: (node: number) => open.has(node),
    isOpenable: (node: number) => isOpenable(tree, node),
    placeOf: (node: number) => placeOf(tree, root, node),
    toggle: (node: number, to: "open" | "closed" | "siblings open") =>
      setState({ ...current, nodes: toggledNode(tree, open, node, to) }),
  };
}

function initial(tree: CallTree, root: number): OpenState {
  return { tree, root, selected: -1, nodes: new Set(hotPath(tree, root)) };
}

export type TreeAction = "open" | "close" | "to callee" | "to caller" | "open siblings" | "nothing";

/** The action of a key on a row of a tree grid; undefined for keys that are not the tree's. */
export function treeActionOf(
  key: string,
  { isOpenable, isOpen }: { readonly isOpenable: boolean; readonly isOpen: boolean },
): TreeAction | undefined {
  switch (key) {
    case "ArrowRight":
      if (!isOpenable) return "nothing";
      return isOpen ? "to callee" : "open";
    case "ArrowLeft":
      return isOpenable && isOpen ? "close" : "to caller";
    case "*":
      return "open siblings";
    default:
      return undefined;
  }
}

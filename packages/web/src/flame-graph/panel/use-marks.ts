import {
  type CallTree,
  type FlameView,
  functionNamed,
  functionRef,
  nodeAtRef,
  nodeRefOf,
} from "@flamekeep/flame";
import { useMemo, useState } from "react";

/** The frame that the keys move and the details show. */
export interface FrameSelection {
  /** -1 for none. */
  readonly node: number;
  readonly onSelect: (node: number) => void;
}

const none = { selected: -1, outlined: -1 };

/**
 * The selected node, and the function that is outlined: the one that a table points at, else the selected one of the view. Nodes have
 * other numbers in another tree: other transforms select none, and the same frame is selected in a tree that has got more frames.
 */
export function useMarks(
  tree: CallTree,
  { transforms, selectedFunction }: FlameView,
  selection: FrameSelection | undefined,
) {
  const [of, setOf] = useState({ tree, transforms });
  const [marks, setMarks] = useState(none);
  const isSame = of.tree === tree && of.transforms === transforms;
  const own = isSame ? marks : movedMarks(marks, of, { tree, transforms });
  if (!isSame) {
    setOf({ tree, transforms });
    setMarks(own);
  }
  const selectedFn = useMemo(() => functionNamed(tree, selectedFunction), [tree, selectedFunction]);
  const selected = selection?.node ?? own.selected;
  return {
    marks: {
      selected: selected < tree.length ? selected : -1,
      outlined: own.outlined === -1 ? selectedFn : own.outlined,
    },
    /** Id of the selected function in this tree, or -1. */
    selectedFn,
    setSelected: selection?.onSelect ?? ((node: number) => setMarks((now) => ({ ...now, selected: node }))),
    setOutlined: (fn: number) => setMarks((now) => ({ ...now, outlined: fn })),
  };
}

interface MarkedTree {
  readonly tree: CallTree;
  readonly transforms: string;
}

function movedMarks(marks: typeof none, from: MarkedTree, to: MarkedTree): typeof none {
  if (marks.selected === -1 || from.transforms !== to.transforms) return none;
  const selected = nodeAtRef(to.tree, nodeRefOf(from.tree, marks.selected));
  const refIn = ({ tree }: MarkedTree, node: number) => functionRef(tree.functions, tree.fn[node]!);
  return refIn(to, selected) === refIn(from, marks.selected) ? { ...none, selected } : none;
}

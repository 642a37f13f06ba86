import { type CallTree, type FlameView, functionNamed } from "@flamekeep/flame";
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
 * other numbers in another tree, so other transforms select none.
 */
export function useMarks(
  tree: CallTree,
  { transforms, selectedFunction }: FlameView,
  selection: FrameSelection | undefined,
) {
  const [of, setOf] = useState(transforms);
  const [marks, setMarks] = useState(none);
  if (of !== transforms) {
    setOf(transforms);
    setMarks(none);
  }
  const own = of === transforms ? marks : none;
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

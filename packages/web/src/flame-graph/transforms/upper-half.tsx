import { type CallTree, functionRef } from "@flamekeep/flame";
import { type ReactNode, useState } from "react";
import { HoverStore, useHover } from "#flame-graph/frame/hover-store.ts";

/** Selection and pointer in the callers of a sandwich. A frame is selected in one half only. */
export interface UpperHalf {
  /** null without a sandwich. */
  readonly tree: CallTree | null;
  readonly hover: HoverStore;
  /** -1 if no frame of it is selected. */
  readonly selected: number;
  readonly select: (node: number) => void;
}

/** @param selectedBelow the selected frame of the lower half, or -1 */
export function useUpperHalf(
  tree: CallTree | null,
  selectedBelow: number,
  deselectBelow: () => void,
): UpperHalf {
  const [hover] = useState(() => new HoverStore());
  const [selection, setSelection] = useState<{ tree: CallTree | null; node: number }>({ tree, node: -1 });
  return {
    tree,
    hover,
    selected: selectedBelow === -1 && selection.tree === tree ? selection.node : -1,
    select(node) {
      setSelection({ tree, node });
      if (node !== -1) deselectBelow();
    },
  };
}

/** Reference to a selected function, the root left out. */
export function functionRefAt(tree: CallTree | null, node: number): string | undefined {
  return tree !== null && node > 0 ? functionRef(tree.functions, tree.fn[node]!) : undefined;
}

interface DetailsOfHalfProps<Tree extends CallTree> {
  readonly upper: Omit<UpperHalf, "tree"> & { readonly tree: Tree | null };
  /** The tree of the lower half, or the only one. */
  readonly tree: Tree;
  readonly hover: HoverStore;
  readonly node: number;
  readonly render: (half: { tree: Tree; hover: HoverStore; node: number }) => ReactNode;
}

/** The details of the half with the pointer, else of the one with the selected frame. */
export function DetailsOfHalf<Tree extends CallTree>({ upper, render, ...lower }: DetailsOfHalfProps<Tree>) {
  const { tree, hover, selected } = upper;
  const isAbove = useHover(hover, tree ?? lower.tree) !== null;
  const isBelow = useHover(lower.hover, lower.tree) !== null;
  if (tree === null || !(isAbove || (!isBelow && selected !== -1))) return render(lower);
  return render({ tree, hover, node: Math.max(selected, 0) });
}

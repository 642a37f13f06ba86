import { comparisonThrough, transformedComparison, transformedTree, treeThrough } from "./apply.ts";
import { toggled, undone } from "./change-chain.ts";
import { FrameItems } from "./frame-items.tsx";
import { ToolbarItems } from "./toolbar-items.tsx";
import { TransformBar } from "./transform-bar.tsx";

/** Everything that a graph needs once it is transformed, as one chunk. */
export const parts = {
  transformedComparison,
  transformedTree,
  comparisonThrough,
  treeThrough,
  toggled,
  undone,
  FrameItems,
  ToolbarItems,
  TransformBar,
};

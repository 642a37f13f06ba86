import { throughFunction, toggled, transformed, undone } from "./apply.ts";
import { FrameItems } from "./frame-items.tsx";
import { ToolbarItems } from "./toolbar-items.tsx";
import { TransformBar } from "./transform-bar.tsx";

/** Everything that a graph needs once it is transformed, as one chunk. */
export const parts = {
  transformed,
  throughFunction,
  toggled,
  undone,
  FrameItems,
  ToolbarItems,
  TransformBar,
};

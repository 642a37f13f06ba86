import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { useHasAllFrames } from "./decode/all-frames.ts";
import { ShownGraph, type ShownGraphProps } from "./shown-graph.tsx";
import { useTransformedTree } from "./transforms/use-transformed.ts";

/** The graph of a tree after the transforms of the view. */
export function Workspace({ tree, ...props }: Omit<ShownGraphProps, "source" | "callers" | "isCurrent">) {
  const { transforms } = props.view;
  const isWaiting = !useHasAllFrames() && transforms !== "";
  const transformed = useTransformedTree(tree, isWaiting ? "" : transforms);
  if (transformed === undefined || isWaiting)
    return <SkeletonBlocks label="Loading all frames" count={1} className="h-[56.5rem] w-full" />;
  const { shown, callers, isCurrent } = transformed;
  return <ShownGraph {...props} source={tree} tree={shown} {...{ callers, isCurrent }} />;
}

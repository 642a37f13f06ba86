import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { ShownGraph, type ShownGraphProps } from "./shown-graph.tsx";
import { useTransformedTree } from "./transforms/use-transformed.ts";

/** The graph of a tree after the transforms of the view. */
export function Workspace({ tree, ...props }: Omit<ShownGraphProps, "source" | "callers" | "isCurrent">) {
  const transformed = useTransformedTree(tree, props.view.transforms);
  if (transformed === undefined)
    return <SkeletonBlocks label="Loading the flame graph" count={1} className="h-[56.5rem] w-full" />;
  const { shown, callers, isCurrent } = transformed;
  return <ShownGraph {...props} source={tree} tree={shown} {...{ callers, isCurrent }} />;
}

import { SkeletonBlocks } from "#ui/content/skeleton.tsx";
import { ShownGraph, type ShownGraphProps } from "./shown-graph.tsx";
import { useTransformedTree } from "./transforms/use-transformed.ts";

/** The graph of a tree after the transforms of the view. */
export function Workspace({ tree, ...props }: Omit<ShownGraphProps, "source" | "callers">) {
  const transformed = useTransformedTree(tree, props.view.transforms);
  if (transformed === undefined)
    return <SkeletonBlocks label="Loading the flame graph" count={1} className="h-[56.5rem] w-full" />;
  return <ShownGraph {...props} source={tree} tree={transformed.shown} callers={transformed.callers} />;
}

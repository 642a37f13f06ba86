import type { Comparison } from "@flamekeep/flame/compare";
import { useTransformedComparison } from "#flame-graph/transforms/use-transformed.ts";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ShownComparison, type ShownComparisonProps } from "./shown-comparison.tsx";

interface ComparisonWorkspaceProps extends Omit<ShownComparisonProps, "source" | "callers" | "isCurrent"> {
  readonly comparison: Comparison;
}

/** The graph of a comparison after the transforms of the view. */
export function ComparisonWorkspace({ comparison, ...props }: ComparisonWorkspaceProps) {
  const transformed = useTransformedComparison(comparison, props.view.transforms);
  if (transformed === undefined) return <Skeleton className="h-[40rem] w-full" />;
  const { shown, callers, isCurrent } = transformed;
  return <ShownComparison {...props} source={comparison} comparison={shown} {...{ callers, isCurrent }} />;
}

import { SkeletonBlocks } from "#ui/content/skeleton.tsx";

/** As high as the timeline of a side. */
export function TimelineSkeleton() {
  return <SkeletonBlocks label="Loading the timeline" count={1} className="h-[162px] w-full" />;
}

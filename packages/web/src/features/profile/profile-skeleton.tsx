import { Skeleton } from "#ui/content/skeleton.tsx";

/** Profile details and statistics, side by side on wide screens, with the usual height of the statistics reserved. */
export const factsGridClass =
  "mb-4 grid gap-4 min-[1100px]:min-h-[25.75rem] min-[1100px]:grid-cols-[minmax(18rem,1fr)_minmax(0,2.4fr)]";

export function ProfileSkeleton() {
  return (
    <div role="status" aria-label="Loading profile">
      <Skeleton className="h-4 w-72" />
      <Skeleton className="mt-3 mb-6 h-12 w-96 max-w-full" />
      <div className={factsGridClass}>
        <Skeleton className="min-h-80 rounded-card!" />
        <Skeleton className="min-h-80 rounded-card!" />
      </div>
      <Skeleton className="h-[800px] rounded-card!" />
    </div>
  );
}

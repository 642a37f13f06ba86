import { Skeleton } from "#ui/content/skeleton.tsx";

/** The flame graph over the whole width, with details and statistics below it, or at its right on very wide screens. */
export const pageGridClass = "grid gap-4 min-[1760px]:grid-cols-[minmax(0,1fr)_25.5rem]";

export const factsGridClass =
  "grid content-start gap-4 min-[1100px]:max-[1759px]:grid-cols-[minmax(18rem,1fr)_minmax(0,2.4fr)]";

export function ProfileSkeleton() {
  return (
    <div role="status" aria-label="Loading profile">
      <div className="mb-2 flex h-[3.5rem] flex-col gap-1 md:-mt-3">
        <Skeleton className="h-8 w-96 max-w-full" />
        <Skeleton className="mt-1 h-4 w-[32rem] max-w-full" />
      </div>
      <div className={pageGridClass}>
        <Skeleton className="h-[56rem] rounded-card!" />
        <div className={factsGridClass}>
          <Skeleton className="min-h-80 rounded-card!" />
          <Skeleton className="min-h-80 rounded-card!" />
        </div>
      </div>
    </div>
  );
}

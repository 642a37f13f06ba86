import { Skeleton } from "#ui/skeleton.tsx";

export function ProfileSkeleton() {
  return (
    <div role="status" aria-label="Loading profile">
      <Skeleton className="h-4 w-72" />
      <Skeleton className="mt-3 mb-6 h-12 w-96 max-w-full" />
      <div className="mb-4 grid gap-4 min-[1100px]:grid-cols-[minmax(18rem,1fr)_minmax(0,2.4fr)]">
        <Skeleton className="h-[25.75rem] rounded-card!" />
        <Skeleton className="h-[25.75rem] rounded-card!" />
      </div>
      <Skeleton className="h-[800px] rounded-card!" />
    </div>
  );
}

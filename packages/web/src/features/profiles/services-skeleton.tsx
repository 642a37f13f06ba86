import { serviceCardHeightPx } from "#profile-list/service-card.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";

export const servicesTotalsClass =
  "mb-6 grid grid-cols-3 gap-2 sm:gap-4 lg:grid-cols-[1fr_1fr_1fr_minmax(0,1.8fr)]";

export function ServicesSkeleton() {
  return (
    <div role="status" aria-label="Loading services...">
      <div className={servicesTotalsClass}>
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card!" />
        <Skeleton className="h-[6.75rem] rounded-card! max-lg:col-span-full" />
      </div>
      <p className="mb-4 flex h-9 items-center rounded-control bg-surface-2 px-3 text-muted">
        Loading services...
      </p>
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(264px,100%),1fr))] gap-4">
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <div key={key} style={{ height: serviceCardHeightPx }}>
            <Skeleton className="h-full rounded-card!" />
          </div>
        ))}
      </div>
    </div>
  );
}

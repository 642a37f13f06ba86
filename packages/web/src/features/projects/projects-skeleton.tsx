import { Skeleton } from "#ui/content/skeleton.tsx";

export const projectStatsClass = "mb-8 grid grid-cols-2 gap-4 lg:grid-cols-4";
const projectGridClass = "grid grid-cols-[repeat(auto-fill,minmax(min(320px,100%),1fr))] gap-4";
export const projectCardMinWidthPx = 320;
/** Of every card of a list, so that a list of thousands knows its length. */
export function projectCardHeightPx(hasTags: boolean): number {
  return hasTags ? 224 : 192;
}

/** As wide as its longest text, so that the search box keeps its width. */
export const projectCountClass = "min-w-28 text-label text-muted sm:text-right";

export function ProjectsSkeleton() {
  return (
    <div>
      <div className={projectStatsClass}>
        {["a", "b", "c", "d"].map((key) => (
          <Skeleton key={key} className="h-[6.25rem] rounded-card! sm:h-[6.875rem]" />
        ))}
      </div>
      <div className="mb-4 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Skeleton className="h-9 flex-1 rounded-control! max-sm:basis-full" />
        <span role="status" aria-label="Loading services..." className={projectCountClass}>
          Loading services...
        </span>
      </div>
      <div className={projectGridClass}>
        {["a", "b", "c", "d", "e", "f"].map((key) => (
          <Skeleton key={key} className="h-48 rounded-card!" />
        ))}
      </div>
    </div>
  );
}

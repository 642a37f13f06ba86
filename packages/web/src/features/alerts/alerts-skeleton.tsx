import { Card, CardHeader } from "#ui/content/card.tsx";
import { Skeleton, SkeletonRows } from "#ui/content/skeleton.tsx";
import { tableClass } from "#ui/content/table.tsx";
import { statGridClass } from "./alert-stats.tsx";
import { IncidentTableHead } from "./incident-table.tsx";

const widths = ["w-24", "w-16", "w-14", "w-14", "w-32", "w-32", "w-16", "w-48", "w-6"];

export function AlertsSkeleton() {
  return (
    <div role="status" aria-label="Loading alerts" className="flex flex-col gap-4">
      <div className={statGridClass}>
        {["total", "critical", "warnings", "resolved"].map((key) => (
          <Skeleton key={key} className="h-[6.125rem] rounded-card! sm:h-[6.625rem]" />
        ))}
      </div>
      <Card className="overflow-hidden">
        <CardHeader title="Performance alerts" detail={<Skeleton className="h-4 w-40" />} />
        <div className="flex gap-2 px-4 pb-3">
          <Skeleton className="h-9 w-44" />
          <Skeleton className="h-9 w-36" />
        </div>
        <div className="border-line border-t">
          <table className={tableClass}>
            <IncidentTableHead sort="increase" isReversed={false} onSort={() => undefined} />
            <tbody>
              <SkeletonRows count={5} columns={widths} />
            </tbody>
          </table>
        </div>
      </Card>
    </div>
  );
}

export function IncidentSkeleton() {
  return (
    <div role="status" aria-label="Loading incident" className="mt-4 flex flex-col gap-4">
      <Skeleton className="h-32 rounded-card!" />
      <Skeleton className="h-64 rounded-card!" />
    </div>
  );
}

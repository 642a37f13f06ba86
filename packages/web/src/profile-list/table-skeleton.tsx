import { SkeletonRows } from "#ui/skeleton.tsx";
import { TableHead, tableClass } from "#ui/table.tsx";

interface TableSkeletonProps {
  readonly rows: number;
  readonly hasService: boolean;
}

export function TableSkeleton({ rows, hasService }: TableSkeletonProps) {
  const service = hasService ? ["w-24"] : [];
  return (
    <div>
      <span role="status" className="sr-only">
        Loading profiles...
      </span>
      <table className={tableClass}>
        <thead>
          <tr>
            <TableHead>Profile</TableHead>
            <TableHead>Type</TableHead>
            {hasService && <TableHead>Service</TableHead>}
            <TableHead>Time</TableHead>
            <TableHead className="w-full">Tags</TableHead>
          </tr>
        </thead>
        <tbody>
          <SkeletonRows count={rows} columns={["w-24", "w-14", ...service, "w-20", "w-48"]} />
        </tbody>
      </table>
    </div>
  );
}

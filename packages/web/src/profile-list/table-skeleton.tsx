import { Skeleton } from "#ui/content/skeleton.tsx";
import { tableClass } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";
import { useIsNarrow } from "#ui/hooks/use-media.ts";
import { type ProfileColumns, ProfileHead, tagsColumn } from "./profile-head.tsx";

interface TableSkeletonProps extends ProfileColumns {
  readonly rows: number;
}

const loadingText = "Loading profiles...";

/** Placeholder of the table with its head and pager in their final size. The first row says what is loading. */
export function TableSkeleton({ rows, hasService, isCompact = false }: TableSkeletonProps) {
  const isNarrow = useIsNarrow();
  return (
    <div role="status" aria-label={loadingText}>
      {isNarrow ? (
        <NarrowRows rows={rows} />
      ) : (
        <WideRows rows={rows} hasService={hasService} isCompact={isCompact} />
      )}
      {!isCompact && (
        <div aria-hidden className="flex h-13.25 items-center justify-between border-line border-t px-3">
          <Skeleton className="h-8 w-44" />
          <Skeleton className="h-7 w-20 sm:w-44" />
        </div>
      )}
    </div>
  );
}

function NarrowRows({ rows }: { readonly rows: number }) {
  return (
    <div className="divide-y divide-line border-line border-t">
      <p className="flex h-17.5 items-center px-4 text-muted">{loadingText}</p>
      {Array.from({ length: rows - 1 }, (_, row) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
        <div key={row} className="flex h-17.5 flex-col justify-center gap-2.5 px-4">
          <Skeleton className="h-4 w-2/3" />
          <Skeleton className="h-4 w-full" />
        </div>
      ))}
    </div>
  );
}

function WideRows({
  rows,
  hasService,
  isCompact,
}: Required<Pick<TableSkeletonProps, "rows" | "hasService" | "isCompact">>) {
  const names = ["w-24", "w-14", ...(hasService ? ["w-24"] : []), "w-20"];
  const numbers = isCompact ? ["total"] : ["total", "samples", "duration"];
  return (
    <div className="@container">
      <table className={tableClass}>
        <ProfileHead hasService={hasService} isCompact={isCompact} />
        <tbody>
          <tr className="h-9 border-line border-t">
            <td colSpan={8} className="px-4 text-muted">
              {loadingText}
            </td>
          </tr>
          {Array.from({ length: rows - 1 }, (_, row) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
            <tr key={row} className="h-9 border-line border-t">
              {names.map((width, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
                <td key={column} className="px-3 first:pl-4">
                  <Skeleton className={cx("h-3.5", width)} />
                </td>
              ))}
              <td className={cx("px-3", tagsColumn(isCompact))}>
                <Skeleton className="h-3.5 w-48 max-w-full" />
              </td>
              {numbers.map((name) => (
                <td key={name} className="px-3 last:pr-4">
                  <Skeleton className="ml-auto h-3.5 w-12" />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

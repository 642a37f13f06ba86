import { TableHead } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";

export interface ProfileColumns {
  readonly hasService: boolean;
  /** Fewer columns and tags, for a card beside others. */
  readonly isCompact?: boolean;
}

/** Tags yield to the numbers where the table has no room for both. */
export function tagsColumn(isCompact: boolean): string {
  return isCompact ? "hidden @2xl:table-cell" : "hidden @4xl:table-cell";
}

// Below the page's header and the list's toolbar; the border of the first row would stay behind.
const stuck = "sticky top-31 z-10 bg-surface shadow-[inset_0_-1px_var(--line)]";

export function ProfileHead({ hasService, isCompact = false }: ProfileColumns) {
  const head = isCompact ? "" : stuck;
  return (
    <thead>
      <tr>
        <TableHead className={head}>Profile</TableHead>
        <TableHead className={head}>Type</TableHead>
        {hasService && <TableHead className={head}>Service</TableHead>}
        <TableHead className={head}>Time</TableHead>
        <TableHead className={cx("w-full", tagsColumn(isCompact), head)}>Tags</TableHead>
        <TableHead isNumeric className={head}>
          Total
        </TableHead>
        {!isCompact && (
          <TableHead isNumeric className={head}>
            Samples
          </TableHead>
        )}
        {!isCompact && (
          <TableHead isNumeric className={head}>
            Duration
          </TableHead>
        )}
      </tr>
    </thead>
  );
}

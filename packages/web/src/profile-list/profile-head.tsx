import { TableHead } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";

export interface ProfileColumns {
  readonly hasService: boolean;
  /** Fewer columns and tags, for a small card. */
  readonly isCompact?: boolean;
}

/** Hides the tags if the table has no room for tags and numbers. */
export function tagsColumn(isCompact: boolean): string {
  return isCompact ? "hidden @2xl:table-cell" : "hidden @4xl:table-cell";
}

// Sticks below the page's header and the list's toolbar. A shadow replaces the border, which would scroll away.
const stickyClass =
  "sticky top-[calc(var(--sticky-top,4rem)+3.75rem)] z-10 bg-surface shadow-[inset_0_-1px_var(--line)]";

export function ProfileHead({ hasService, isCompact = false }: ProfileColumns) {
  const head = isCompact ? "" : stickyClass;
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

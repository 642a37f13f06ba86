import { ArrowDown, ArrowUp } from "lucide-react";
import { cx } from "#ui/cx.ts";

interface Sort<C> {
  readonly column: C;
  readonly isDescending: boolean;
}

interface SortHeadProps<C> {
  readonly column: C;
  readonly label: string;
  readonly isNumeric?: boolean;
  /** Above cells of `narrowCellClass`. */
  readonly isNarrow?: boolean;
  readonly sort: Sort<C>;
  readonly onSort: (sort: Sort<C>) => void;
  /** Width and visibility of a column of numbers. */
  readonly className?: string;
}

/** A column's heading; numbers sort largest first, names from A. */
export function SortHead<C extends string>({
  column,
  label,
  isNumeric = false,
  isNarrow = false,
  sort,
  onSort,
  className = "w-20 sm:w-40",
}: SortHeadProps<C>) {
  const isSorted = sort.column === column;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
      className={cx("h-9 font-medium text-label", isNumeric && cx("group text-right", className))}
    >
      <button
        type="button"
        onClick={() => onSort({ column, isDescending: isSorted ? !sort.isDescending : isNumeric })}
        className={cx(
          "inline-flex h-9 items-center gap-1 hover:text-text",
          isSorted ? "text-text" : "text-muted",
          isNumeric ? "flex-row-reverse px-2" : "px-4",
          isNumeric && (isNarrow ? "sm:px-2.5 sm:group-last:pr-4" : "sm:px-4"),
        )}
      >
        {label}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </th>
  );
}

import type { TotalsColumn } from "@flamekeep/flame";
import { ArrowDown, ArrowUp } from "lucide-react";
import { cx } from "#ui/cx.ts";

interface Sort {
  readonly column: TotalsColumn;
  readonly isDescending: boolean;
}

interface SortHeadProps {
  readonly column: TotalsColumn;
  readonly label: string;
  readonly isNumeric?: boolean;
  readonly sort: Sort;
  readonly onSort: (sort: Sort) => void;
}

/** A column's heading; numbers sort largest first, names from A. */
export function SortHead({ column, label, isNumeric = false, sort, onSort }: SortHeadProps) {
  const isSorted = sort.column === column;
  const Arrow = sort.isDescending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (sort.isDescending ? "descending" : "ascending") : "none"}
      className={cx("h-9 font-medium text-label", isNumeric && "w-20 text-right sm:w-40")}
    >
      <button
        type="button"
        onClick={() => onSort({ column, isDescending: isSorted ? !sort.isDescending : isNumeric })}
        className={cx(
          "inline-flex h-9 items-center gap-1 hover:text-text",
          isSorted ? "text-text" : "text-muted",
          isNumeric ? "flex-row-reverse px-2 sm:px-4" : "px-4",
        )}
      >
        {label}
        {isSorted && <Arrow aria-hidden className="size-3.5" />}
      </button>
    </th>
  );
}

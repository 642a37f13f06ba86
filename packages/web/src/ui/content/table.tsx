import { ArrowDown } from "lucide-react";
import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export const tableClass = "w-full border-collapse text-left";

interface SortHeadProps {
  readonly isSorted: boolean;
  readonly onSort: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A numeric column by which the table can be sorted, largest first. */
export function SortHead({ isSorted, onSort, className, children }: SortHeadProps) {
  return (
    <th
      scope="col"
      aria-sort={isSorted ? "descending" : "none"}
      className={cx(
        "h-9 whitespace-nowrap px-3 text-right font-medium text-label text-muted last:pr-4",
        className,
      )}
    >
      <button
        type="button"
        onClick={onSort}
        className={cx(
          "ml-auto flex items-center gap-1 rounded-badge hover:text-text max-md:min-h-9",
          isSorted && "text-text",
        )}
      >
        <ArrowDown aria-hidden className={cx("size-3.5", !isSorted && "opacity-0")} strokeWidth={1.75} />
        {children}
      </button>
    </th>
  );
}

interface TableHeadProps {
  readonly isNumeric?: boolean;
  readonly className?: string;
  readonly children: ReactNode;
}

export function TableHead({ isNumeric = false, className, children }: TableHeadProps) {
  return (
    <th
      scope="col"
      className={cx(
        "h-9 whitespace-nowrap px-3 first:pl-4 last:pr-4 font-medium text-label text-muted",
        isNumeric && "text-right",
        className,
      )}
    >
      {children}
    </th>
  );
}

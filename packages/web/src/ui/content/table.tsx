import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export const tableClass = "w-full border-collapse text-left";

interface SortHeadProps {
  readonly isSorted: boolean;
  /** The arrow points up. */
  readonly isAscending?: boolean;
  readonly isNumeric?: boolean;
  readonly onSort: () => void;
  readonly className?: string;
  readonly children: ReactNode;
}

/** A column by which the table can be sorted; numbers largest first, unless `isAscending` says otherwise. */
export function SortHead(props: SortHeadProps) {
  const { isSorted, isAscending = false, isNumeric = true, onSort, className, children } = props;
  const Arrow = isAscending ? ArrowUp : ArrowDown;
  return (
    <TableHead
      aria-sort={isSorted ? (isAscending ? "ascending" : "descending") : "none"}
      isNumeric={isNumeric}
      className={className}
    >
      <button
        type="button"
        onClick={onSort}
        className={cx(
          "group/sort flex items-center gap-1 rounded-badge hover:text-text max-md:min-h-9",
          isNumeric ? "ml-auto" : "flex-row-reverse",
          isSorted && "text-text",
        )}
      >
        <Arrow
          aria-hidden
          className={cx("size-3.5", !isSorted && "opacity-0 group-hover/sort:opacity-60")}
          strokeWidth={1.75}
        />
        {children}
      </button>
    </TableHead>
  );
}

interface TableHeadProps extends ComponentProps<"th"> {
  readonly isNumeric?: boolean;
}

export function TableHead({ isNumeric = false, className, ...rest }: TableHeadProps) {
  return (
    <th
      {...rest}
      scope="col"
      className={cx(
        "h-9 whitespace-nowrap px-3 first:pl-4 last:pr-4 font-medium text-label text-muted",
        isNumeric && "text-right",
        className,
      )}
    />
  );
}

import type { ReactNode } from "react";
import { cx } from "#ui/cx.ts";

export const tableClass = "w-full border-collapse text-left";

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

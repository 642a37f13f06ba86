import type { ProfileOrder } from "@flamekeep/contract";
import { SortHead, TableHead } from "#ui/content/table.tsx";
import { cx } from "#ui/cx.ts";

export interface ProfileColumns {
  readonly hasService: boolean;
  /** Fewer columns and tags, for a small card. */
  readonly isCompact?: boolean;
  /** The server sorts, so that the order is of all pages. */
  readonly order?: ProfileOrder | undefined;
  /** Without it the table cannot be sorted. */
  readonly onOrder?: ((order: ProfileOrder) => void) | undefined;
}

/** Hides the tags if the table has no room for tags and numbers. */
export function tagsColumn(isCompact: boolean): string {
  return isCompact ? "hidden @2xl:table-cell" : "hidden @4xl:table-cell";
}

// Sticks below the page's header and the list's toolbar. A shadow replaces the border, which would scroll away.
const stickyClass =
  "sticky top-[calc(var(--sticky-top,4rem)+3.75rem)] z-10 bg-surface shadow-[inset_0_-1px_var(--line)]";

export function ProfileHead({ hasService, isCompact = false, order, onOrder }: ProfileColumns) {
  const head = isCompact ? "" : stickyClass;
  const sorting = { order, onOrder, className: head };
  return (
    <thead>
      <tr>
        <TableHead className={head}>Profile</TableHead>
        <TableHead className={head}>Type</TableHead>
        {hasService && <TableHead className={head}>Service</TableHead>}
        <OrderHead {...sorting} orders={["newest", "oldest"]} isNumeric={false}>
          Time
        </OrderHead>
        <TableHead className={cx("w-full", tagsColumn(isCompact), head)}>Tags</TableHead>
        <TableHead isNumeric className={head}>
          Total
        </TableHead>
        {!isCompact && (
          <OrderHead {...sorting} orders={["samples"]}>
            Samples
          </OrderHead>
        )}
        {!isCompact && (
          <OrderHead {...sorting} orders={["duration"]}>
            Duration
          </OrderHead>
        )}
      </tr>
    </thead>
  );
}

interface OrderHeadProps extends Pick<ProfileColumns, "order" | "onOrder"> {
  /** Those of the column; each click chooses the next one. */
  readonly orders: readonly ProfileOrder[];
  readonly isNumeric?: boolean;
  readonly className: string;
  readonly children: string;
}

function OrderHead({ orders, order, onOrder, isNumeric = true, className, children }: OrderHeadProps) {
  if (order === undefined || onOrder === undefined) {
    return (
      <TableHead isNumeric={isNumeric} className={className}>
        {children}
      </TableHead>
    );
  }
  const at = orders.indexOf(order);
  return (
    <SortHead
      isSorted={at !== -1}
      isAscending={order === "oldest" && at !== -1}
      isNumeric={isNumeric}
      onSort={() => onOrder(orders[(at + 1) % orders.length]!)}
      className={className}
    >
      {children}
    </SortHead>
  );
}

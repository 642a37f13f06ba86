import { cx } from "#ui/cx.ts";

export function Skeleton({ className }: { readonly className?: string }) {
  return <span aria-hidden className={cx("skeleton-sheen block rounded-badge", className)} />;
}

interface SkeletonBlocksProps {
  /** Read to screen readers. */
  readonly label: string;
  readonly count: number;
  /** The size of each block. */
  readonly className: string;
  /** The arrangement of the blocks. */
  readonly layoutClass?: string;
}

/** Blocks of one size in a column or grid. */
export function SkeletonBlocks({ label, count, className, layoutClass }: SkeletonBlocksProps) {
  return (
    <div role="status" aria-label={label} className={layoutClass}>
      {Array.from({ length: count }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
        <Skeleton key={at} className={className} />
      ))}
    </div>
  );
}

interface SkeletonRowsProps {
  readonly count: number;
  readonly columns: readonly string[];
}

/** Rows of the table's own height; each column is a width class. */
export function SkeletonRows({ count, columns }: SkeletonRowsProps) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
    <tr key={row} className="h-9 border-line border-t">
      {columns.map((width, column) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal placeholders that never move
        <td key={column} className="px-3 first:pl-4 last:pr-4">
          <Skeleton className={cx("h-3.5", width)} />
        </td>
      ))}
    </tr>
  ));
}

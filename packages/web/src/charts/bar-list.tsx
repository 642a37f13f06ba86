import type { ReactNode } from "react";
import type { SeriesColor } from "./model/colours.ts";

interface BarListProps {
  readonly label: string;
  readonly rows: readonly BarRow[];
}

export interface BarRow {
  readonly id: string;
  readonly name: ReactNode;
  /** The length of the bar; the longest one of the list fills its row. */
  readonly amount: number;
  /** The amount as text, at the right. */
  readonly value: ReactNode;
  readonly detail?: ReactNode;
  readonly color?: SeriesColor;
}

/** Rows of a name and a value over a bar of the value's size. */
export function BarList({ label, rows }: BarListProps) {
  const longest = rows.reduce((most, { amount }) => Math.max(most, amount), 0) || 1;
  return (
    // Details and values of all rows are columns.
    <ol aria-label={label} className="grid grid-cols-[minmax(0,1fr)_auto_auto] gap-x-3 gap-y-1">
      {rows.map(({ id, name, amount, value, detail, color = "series-1" }) => (
        <li
          key={id}
          className="relative col-span-3 grid min-h-9 grid-cols-subgrid items-center rounded-badge px-2.5 py-1.5"
        >
          <span
            aria-hidden
            className="absolute inset-y-0 left-0 rounded-badge opacity-16"
            style={{ width: `${Math.max(0, (amount / longest) * 100)}%`, background: `var(--${color})` }}
          />
          <span className="relative min-w-0 truncate">{name}</span>
          {detail && (
            <span className="relative whitespace-nowrap text-right text-label text-muted">{detail}</span>
          )}
          <span data-quantity className="relative col-start-3 whitespace-nowrap text-right font-medium">
            {value}
          </span>
        </li>
      ))}
    </ol>
  );
}

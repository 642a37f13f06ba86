import type { SearchResult } from "@flamekeep/flame";
import { useVirtualizer } from "@tanstack/react-virtual";
import { Fragment, type KeyboardEvent, type ReactNode, useEffect, useId, useRef } from "react";
import type { DrawnTree, Reading } from "#flame-graph/reading/reading.ts";
import { useIsPhone } from "#ui/hooks/use-media.ts";

/** Rows have two lines on phones. */
const rowHeightPx = { wide: 36, phone: 44 };

/** A row with these is part of the grid. */
export interface RowProps {
  readonly id: string;
  readonly "aria-rowindex": number;
  readonly "data-cursor": boolean;
  readonly onPointerEnter: () => void;
  readonly onClick: () => void;
}

/** A graph in rows. */
export interface GraphRows {
  readonly reading: Reading;
  readonly tree: DrawnTree;
  /** The node at which the rows begin. */
  readonly root: number;
  readonly search: SearchResult | null;
  /** By default as high as its rows, within a limit. */
  readonly heightPx?: number | undefined;
  /** Outlines a function in the graph. */
  readonly onPoint: (fn: number) => void;
}

interface RowGridProps {
  readonly role: "grid" | "treegrid";
  readonly label: string;
  readonly heightPx?: number;
  readonly count: number;
  /** The row that the keys move and act on; -1 for none. */
  readonly cursor: number;
  readonly onCursor: (row: number) => void;
  /** Enter, Space or a click. */
  readonly onOpen: (row: number) => void;
  /** Other keys. @returns whether the key did something */
  readonly onKey?: (key: string, row: number) => boolean;
  readonly onPoint: (row: number) => void;
  /** The row of headings. */
  readonly head: ReactNode;
  readonly renderRow: (row: number, props: RowProps) => ReactNode;
  /** Instead of rows. */
  readonly emptyText: string;
}

/** A table with one stop for the Tab key, whose rows are moved through with the arrow keys. Only visible rows are rendered. */
export function RowGrid(props: RowGridProps) {
  const { role, label, heightPx, count, cursor, head, renderRow, emptyText } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const isPhone = useIsPhone();
  const rowPx = isPhone ? rowHeightPx.phone : rowHeightPx.wide;
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 8,
    // The headings are a row that scrolls with the table but stays in view.
    scrollPaddingStart: rowPx,
    scrollPaddingEnd: rowPx,
  });
  useEffect(() => {
    if (cursor !== -1 && cursor < count) virtual.scrollToIndex(cursor, { align: "auto" });
  }, [cursor, count, virtual]);
  const items = virtual.getVirtualItems();
  const before = items[0]?.start ?? 0;
  const after = virtual.getTotalSize() - (items.at(-1)?.end ?? 0);
  const hasCursor = items.some(({ index }) => index === cursor);

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 2);
    const next = cursorAfter(event.key, cursor, count, page);
    if (next !== undefined) props.onCursor(next);
    else if (cursor === -1) return;
    else if (event.key === "Enter" || event.key === " ") props.onOpen(cursor);
    else if (props.onKey?.(event.key, cursor) !== true) return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <div
      ref={scroller}
      className="group/grid overflow-auto has-[table:focus-visible]:outline-2 has-[table:focus-visible]:-outline-offset-2 has-[table:focus-visible]:outline-accent"
      style={heightPx === undefined ? { maxHeight: "30rem" } : { height: heightPx }}
    >
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: it does not see that the role is one of two that support it */}
      <table
        role={role}
        aria-label={label}
        aria-rowcount={count + 1}
        aria-activedescendant={hasCursor ? rowId(id, cursor) : undefined}
        tabIndex={0}
        onKeyDown={onKeyDown}
        className="w-full scroll-mt-48 table-fixed border-collapse text-left outline-none"
      >
        <thead className="sticky top-0 z-10 bg-surface-2">{head}</thead>
        <tbody onPointerLeave={() => props.onPoint(-1)}>
          {before > 0 && <Spacer heightPx={before} />}
          {items.map(({ index, key }) => (
            <Fragment key={key}>
              {renderRow(index, {
                id: rowId(id, index),
                "aria-rowindex": index + 2,
                "data-cursor": index === cursor,
                onPointerEnter: () => props.onPoint(index),
                onClick: () => {
                  props.onCursor(index);
                  props.onOpen(index);
                },
              })}
            </Fragment>
          ))}
          {after > 0 && <Spacer heightPx={after} />}
        </tbody>
      </table>
      {count === 0 && <p className="px-4 py-8 text-center text-muted">{emptyText}</p>}
    </div>
  );
}

/** Look of a row. The one that the keys are at has an outline while the table has the focus. */
export const rowClass =
  "h-11 cursor-pointer border-line border-b tabular-nums hover:bg-surface-2 sm:h-9 aria-selected:bg-accent/12 data-[cursor=true]:group-has-[table:focus-visible]/grid:outline-2 data-[cursor=true]:group-has-[table:focus-visible]/grid:-outline-offset-2 data-[cursor=true]:group-has-[table:focus-visible]/grid:outline-accent";

function rowId(id: string, row: number): string {
  return `${id}-${row}`;
}

function Spacer({ heightPx }: { readonly heightPx: number }) {
  return (
    <tr aria-hidden>
      {/* One cell: a span over hidden columns would give them a width. */}
      <td style={{ height: heightPx }} />
    </tr>
  );
}

/** The row that a key moves to; undefined for other keys. */
export function cursorAfter(key: string, cursor: number, count: number, page: number): number | undefined {
  if (count === 0) return undefined;
  const within = (row: number) => Math.min(count - 1, Math.max(0, row));
  switch (key) {
    case "ArrowDown":
      return within(cursor + 1);
    case "ArrowUp":
      return within(cursor - 1);
    case "PageDown":
      return within(cursor + page);
    case "PageUp":
      return within(cursor - page);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useDeferredValue, useLayoutEffect, useRef, useState } from "react";

interface VirtualGridProps<T> {
  readonly label: string;
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  /** Every card has this height. */
  readonly heightPx: number;
  readonly minWidthPx?: number;
  readonly children: (item: T) => ReactNode;
}

const gapPx = 16;
/** Rows above and below the screen, which may arrive a few frames later. */
const overscan = 3;

/** Cards in as many columns as fit. Only those on screen exist, so that thousands cost no more than dozens. */
export function VirtualGrid<T>(props: VirtualGridProps<T>) {
  const { label, items, keyOf, heightPx, minWidthPx = 264, children } = props;
  const list = useRef<HTMLUListElement>(null);
  const { width, top } = useElementPlace(list);
  const columns = columnsOf(width, minWidthPx, gapPx);
  const virtual = useWindowVirtualizer({
    count: Math.ceil(items.length / columns),
    estimateSize: () => heightPx + gapPx,
    overscan,
    scrollMargin: top,
    useFlushSync: false,
  });
  const rows = virtual.getVirtualItems();
  // Deferred, so that the cards of a new row are made between frames and do not hold up one.
  const firstRow = useDeferredValue(rows[0]?.index ?? 0);
  const endRow = useDeferredValue((rows.at(-1)?.index ?? -1) + 1);
  const [first, end] = [firstRow * columns, endRow * columns];
  const before = firstRow * (heightPx + gapPx);
  const after = Math.max(0, virtual.getTotalSize() - endRow * (heightPx + gapPx));

  return (
    <ul
      ref={list}
      aria-label={label}
      className="grid gap-4"
      style={{
        gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))`,
        gridAutoRows: heightPx,
        paddingTop: before,
        paddingBottom: after,
      }}
    >
      {items.slice(first, end).map((item, index) => (
        <li
          key={keyOf(item)}
          aria-setsize={items.length}
          aria-posinset={first + index + 1}
          className="min-w-0 *:h-full"
        >
          {children(item)}
        </li>
      ))}
    </ul>
  );
}

/** Columns of at least `minWidthPx` that fit side by side; one if the width is not known yet. */
export function columnsOf(widthPx: number, minWidthPx: number, gapPx: number): number {
  return Math.max(1, Math.floor((widthPx + gapPx) / (minWidthPx + gapPx)));
}

interface Place {
  readonly width: number;
  /** Distance from the top of the document. */
  readonly top: number;
}

/** Width and place of an element in the document, measured before the first paint and again when the page's layout changes. */
function useElementPlace(element: RefObject<HTMLElement | null>): Place {
  const [place, setPlace] = useState<Place>({ width: 0, top: 0 });
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const measure = () => {
      const { width, top } = target.getBoundingClientRect();
      const next = { width, top: Math.round(top + window.scrollY) };
      setPlace((before) => (before.width === next.width && before.top === next.top ? before : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    // Content above the element moves it without changing its size.
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return place;
}

/** Cursor and selection of a chart by keyboard, as bucket indexes. `anchor` is where a selection began. */
export interface KeyCursor {
  readonly index: number | null;
  readonly anchor: number | null;
}

export type KeyResult =
  | { readonly kind: "move"; readonly cursor: KeyCursor }
  | { readonly kind: "apply"; readonly from: number; readonly to: number }
  | { readonly kind: "clear" };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
}

/** The effect of a key, or undefined if it is not one of the chart's keys. Page Up and Page Down move a tenth of the chart. */
export function keyResult(
  cursor: KeyCursor,
  { key, shiftKey }: KeyPress,
  count: number,
): KeyResult | undefined {
  if (count === 0) return undefined;
  if (key === "Escape") return { kind: "clear" };
  if (key === "Enter") {
    if (cursor.index === null) return undefined;
    const anchor = cursor.anchor ?? cursor.index;
    return { kind: "apply", from: Math.min(anchor, cursor.index), to: Math.max(anchor, cursor.index) };
  }
  const target = targetOf(cursor.index, key, count);
  if (target === undefined) return undefined;
  const index = Math.min(count - 1, Math.max(0, target));
  const anchor = shiftKey ? (cursor.anchor ?? cursor.index ?? index) : null;
  return { kind: "move", cursor: { index, anchor } };
}

function targetOf(index: number | null, key: string, count: number): number | undefined {
  const page = Math.max(1, Math.round(count / 10));
  switch (key) {
    case "ArrowLeft":
      return index === null ? count - 1 : index - 1;
    case "ArrowRight":
      return index === null ? 0 : index + 1;
    case "PageUp":
      return (index ?? count) - page;
    case "PageDown":
      return (index ?? -1) + page;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return undefined;
  }
}

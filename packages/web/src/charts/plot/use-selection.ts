import { type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject, useState } from "react";
import type UPlot from "uplot";
import { bucketSpan, spanOf, type TimeSpan } from "#charts/model/series.ts";
import type { Drawing } from "./create-plot.ts";

interface SelectionInput extends Pick<Drawing, "timesMs" | "bucketMs"> {
  readonly plot: RefObject<UPlot | null>;
  /** The bucket under the cursor. */
  readonly index: number | null;
  readonly selected: TimeSpan | undefined;
  readonly onSelect: ((span: TimeSpan | undefined) => void) | undefined;
}

interface Drag {
  readonly fromPx: number;
  readonly toPx: number;
  /** The grip of the applied selection that is dragged; undefined for a new selection. */
  readonly grip: Grip | undefined;
}

/** A shorter movement is a click. */
const dragPxMin = 4;

/** The cursor and the selection of a chart by mouse, finger and keyboard. */
export function useSelection(input: SelectionInput) {
  const [isInside, setIsInside] = useState(false);
  const keys = useKeySelection(input);
  const drag = useDragSelection(input);
  const pending = drag.isDragging ? drag.span : keys.span;

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    const target = event.target as HTMLElement;
    const grip = target.dataset["grip"] as Grip | undefined;
    const isInPlot = grip !== undefined || input.plot.current?.over.contains(target) === true;
    if (event.button !== 0 || !isInPlot) return;
    keys.leave();
    drag.start(event, grip);
  }

  return {
    /** The selection that is being made, otherwise the applied one. */
    shown: pending ?? input.selected,
    pending,
    isByKeyboard: keys.isActive,
    isActive: isInside || keys.isActive,
    handlers: {
      onPointerDown,
      ...drag.handlers,
      ...keys.handlers,
      onPointerEnter: () => setIsInside(true),
      onPointerLeave: () => setIsInside(false),
    },
  };
}

function useDragSelection({ plot, timesMs, bucketMs, selected, onSelect }: SelectionInput) {
  const [drag, setDrag] = useState<Drag | null>(null);

  function spanOf({ fromPx, toPx, grip }: Drag): TimeSpan | undefined {
    if (plot.current === null || Math.abs(toPx - fromPx) < dragPxMin) return undefined;
    const at = (px: number) => plot.current?.posToVal(px, "x") ?? 0;
    if (grip !== undefined && selected !== undefined)
      return draggedSpan(selected, { grip, startMs: at(fromPx), atMs: at(toPx) }, { timesMs, bucketMs });
    return bucketSpan(timesMs, bucketMs, at(fromPx), at(toPx));
  }

  function pxOf(event: PointerEvent): number {
    const area = plot.current?.over.getBoundingClientRect();
    return area === undefined ? 0 : Math.min(area.width, Math.max(0, event.clientX - area.left));
  }

  function start(event: PointerEvent<HTMLElement>, grip: Grip | undefined) {
    if (onSelect === undefined) return;
    event.currentTarget.setPointerCapture(event.pointerId);
    setDrag({ fromPx: pxOf(event), toPx: pxOf(event), grip });
  }

  function onPointerMove(event: PointerEvent) {
    const toPx = pxOf(event);
    // Captured events and touches do not reach uPlot's own listeners.
    if (drag !== null || event.pointerType === "touch") moveCursor(plot.current, toPx);
    if (drag !== null) setDrag({ ...drag, toPx });
  }

  function onPointerUp(event: PointerEvent) {
    if (drag === null) return;
    setDrag(null);
    const span = spanOf({ ...drag, toPx: pxOf(event) });
    // A click on a grip changes nothing; any other click clears the selection.
    if (span !== undefined || (selected !== undefined && drag.grip === undefined)) onSelect?.(span);
  }

  return {
    isDragging: drag !== null,
    /** Undefined while the movement may still be a click. */
    span: drag === null ? undefined : spanOf(drag),
    start,
    handlers: { onPointerMove, onPointerUp, onPointerCancel: () => setDrag(null) },
  };
}

function useKeySelection({ plot, timesMs, bucketMs, index, selected, onSelect }: SelectionInput) {
  const [isActive, setIsActive] = useState(false);
  const [anchor, setAnchor] = useState<number | null>(null);

  function spanOf(from: number, to: number): TimeSpan {
    return { fromMs: timesMs[from] ?? 0, toMs: (timesMs[to] ?? 0) + bucketMs };
  }

  function showBucket(at: number | null) {
    const atMs = at === null ? undefined : timesMs[at];
    if (plot.current === null || atMs === undefined) return;
    moveCursor(plot.current, plot.current.valToPos(atMs + bucketMs / 2, "x"));
  }

  function leave() {
    setIsActive(false);
    setAnchor(null);
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const cursor: KeyCursor = { index: isActive ? index : null, anchor };
    const result = keyResult(cursor, event, timesMs.length);
    if (result === undefined || (result.kind === "clear" && anchor === null && selected === undefined))
      return;
    event.preventDefault();
    event.stopPropagation();
    setIsActive(true);
    if (result.kind === "move") {
      setAnchor(onSelect === undefined ? null : result.cursor.anchor);
      showBucket(result.cursor.index);
      return;
    }
    setAnchor(null);
    if (result.kind === "apply") onSelect?.(spanOf(result.from, result.to));
    else if (anchor === null) onSelect?.(undefined);
  }

  function onBlur(event: FocusEvent) {
    if (event.currentTarget.contains(event.relatedTarget)) return;
    leave();
    if (isActive) moveCursor(plot.current, -10);
  }

  return {
    /** Whether the cursor is the keyboard's. */
    isActive,
    span:
      anchor === null || index === null
        ? undefined
        : spanOf(Math.min(anchor, index), Math.max(anchor, index)),
    leave,
    handlers: { onKeyDown, onBlur },
  };
}

/** Puts the cursor of a plot and of its group at a place; a negative one hides it. */
function moveCursor(plot: UPlot | null, leftPx: number): void {
  // The type lacks the third parameter, which moves the cursors of the group too.
  const publish: (at: { left: number; top: number }, isFired: boolean, isPublished: boolean) => void =
    plot?.setCursor ?? (() => undefined);
  publish({ left: leftPx, top: leftPx < 0 ? -10 : 10 }, true, true);
}

/** The part of a selection that is dragged: one of its ends, or the whole. */
export type Grip = "from" | "to" | "move";

interface GripDrag {
  readonly grip: Grip;
  /** Time under the pointer where the drag began, and now. */
  readonly startMs: number;
  readonly atMs: number;
}

interface Buckets {
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
}

/**
 * The selection after a drag inside the chart. An end goes to the nearest edge of a bucket, whether or not the bucket has values, and
 * leaves the other end as it is. The whole moves by whole buckets.
 */
export function draggedSpan(span: TimeSpan, drag: GripDrag, { timesMs, bucketMs }: Buckets): TimeSpan {
  const { grip, startMs, atMs } = drag;
  const whole = spanOf(timesMs, bucketMs);
  if (grip === "move") {
    const wantedMs = Math.round((atMs - startMs) / bucketMs) * bucketMs;
    // A selection that reaches over an end of the chart stays there.
    const leastMs = Math.min(0, whole.fromMs - span.fromMs);
    const mostMs = Math.max(0, whole.toMs - span.toMs);
    const byMs = Math.min(mostMs, Math.max(leastMs, wantedMs));
    return { fromMs: span.fromMs + byMs, toMs: span.toMs + byMs };
  }
  const fixedMs = grip === "from" ? span.toMs : span.fromMs;
  const nearestMs = whole.fromMs + Math.round((atMs - whole.fromMs) / bucketMs) * bucketMs;
  const edgeMs = Math.min(whole.toMs, Math.max(whole.fromMs, nearestMs));
  // A selection is never empty.
  if (edgeMs === fixedMs) return span;
  return { fromMs: Math.min(edgeMs, fixedMs), toMs: Math.max(edgeMs, fixedMs) };
}

/** Cursor and selection of a chart by keyboard, as bucket indexes. `anchor` is where a selection began. */
interface KeyCursor {
  readonly index: number | null;
  readonly anchor: number | null;
}

type KeyResult =
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

import { type FocusEvent, type KeyboardEvent, type PointerEvent, type RefObject, useState } from "react";
import type UPlot from "uplot";
import { draggedSpan, type Grip, type KeyCursor, keyResult } from "#charts/model/selection.ts";
import { bucketSpan, type TimeSpan } from "#charts/model/series.ts";

interface SelectionInput {
  readonly plot: RefObject<UPlot | null>;
  readonly timesMs: readonly number[];
  readonly bucketMs: number;
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

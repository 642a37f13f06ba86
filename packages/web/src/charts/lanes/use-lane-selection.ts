import { type KeyboardEvent, type PointerEvent, useMemo, useState } from "react";
import { bucketSpan, type TimeSpan } from "#charts/model/series.ts";
import { keyResult } from "#charts/plot/use-selection.ts";

/** The selection itself, or the time that it is compared with. */
export type SelectionKind = "selected" | "before";

interface LaneSelectionInput {
  readonly whole: TimeSpan;
  readonly stepMs: number;
  readonly selected: TimeSpan | undefined;
  readonly before: TimeSpan | undefined;
  readonly isMarkingBefore: boolean;
  readonly cursorMs: number | null;
  readonly onCursor: (atMs: number | null) => void;
  readonly onSelect: (kind: SelectionKind, span: TimeSpan | undefined) => void;
  /** A press without movement, at a share of the height. */
  readonly onClick: (share: number) => void;
}

interface Drag {
  readonly fromPx: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly kind: SelectionKind;
  /** A shorter movement is a click. */
  readonly isLong: boolean;
}

const dragPxMin = 4;

/** Cursor and selection of a stack of lanes by mouse, finger and keyboard. */
export function useLaneSelection(input: LaneSelectionInput) {
  const { whole, stepMs, isMarkingBefore } = input;
  const timesMs = useMemo(() => {
    const count = Math.max(1, Math.ceil((whole.toMs - whole.fromMs) / stepMs));
    return Array.from({ length: count }, (_, at) => whole.fromMs + at * stepMs);
  }, [whole, stepMs]);
  const keys = useLaneKeys(input, timesMs);
  const { drag, handlers } = useLaneDrag(input, timesMs, keys);
  const kind: SelectionKind = drag?.kind ?? (isMarkingBefore ? "before" : "selected");
  const span = drag?.isLong ? bucketSpan(timesMs, stepMs, drag.fromMs, drag.toMs) : keys.span;
  return {
    /** The selection that is being made. */
    pending: span && { kind, span },
    isByKeyboard: keys.isActive,
    /** They belong to the element that takes pointers and keys. */
    handlers: { ...handlers, ...keys.handlers, tabIndex: 0 },
  };
}

type Keys = ReturnType<typeof useLaneKeys>;

function useLaneDrag(input: LaneSelectionInput, timesMs: readonly number[], keys: Keys) {
  const { whole, stepMs, onCursor, onSelect, onClick, isMarkingBefore } = input;
  const [drag, setDrag] = useState<Drag | null>(null);

  function timeAt(event: PointerEvent<HTMLElement>): number {
    const area = event.currentTarget.getBoundingClientRect();
    const share = Math.min(1, Math.max(0, (event.clientX - area.left) / area.width));
    return whole.fromMs + share * (whole.toMs - whole.fromMs);
  }

  function onPointerDown(event: PointerEvent<HTMLElement>) {
    // The flags of markers are buttons inside.
    if (event.button !== 0 || (event.target as Element).closest("button") !== null) return;
    keys.leave();
    event.currentTarget.setPointerCapture(event.pointerId);
    const atMs = timeAt(event);
    const kind = event.shiftKey || isMarkingBefore ? "before" : "selected";
    setDrag({ fromPx: event.clientX, fromMs: atMs, toMs: atMs, kind, isLong: false });
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const toMs = timeAt(event);
    onCursor(toMs);
    if (drag === null) return;
    const isLong = drag.isLong || Math.abs(event.clientX - drag.fromPx) >= dragPxMin;
    setDrag({ ...drag, toMs, isLong });
  }

  function onPointerUp(event: PointerEvent<HTMLElement>) {
    if (drag === null) return;
    setDrag(null);
    if (drag.isLong) return onSelect(drag.kind, bucketSpan(timesMs, stepMs, drag.fromMs, timeAt(event)));
    const area = event.currentTarget.getBoundingClientRect();
    onClick(Math.max(0, (event.clientY - area.top) / area.height));
  }

  return {
    drag,
    handlers: {
      onPointerDown,
      onPointerMove,
      onPointerUp,
      onPointerCancel: () => setDrag(null),
      onPointerLeave: () => {
        if (!keys.isActive) onCursor(null);
      },
    },
  };
}

function useLaneKeys(input: LaneSelectionInput, timesMs: readonly number[]) {
  const { whole, stepMs, cursorMs, selected, before, isMarkingBefore, onCursor, onSelect } = input;
  const [anchor, setAnchor] = useState<number | null>(null);
  const [isActive, setActive] = useState(false);
  const cursor = cursorMs === null ? null : Math.floor((cursorMs - whole.fromMs) / stepMs);
  const spanOf = (from: number, to: number): TimeSpan => ({
    fromMs: timesMs[from]!,
    toMs: timesMs[Math.min(to, timesMs.length - 1)]! + stepMs,
  });

  function leave() {
    setAnchor(null);
    setActive(false);
  }

  /** Escape ends what is being selected, else the comparison, else the selection. */
  function clear(): boolean {
    if (anchor === null && selected === undefined && before === undefined) return false;
    if (anchor === null) onSelect(before === undefined ? "selected" : "before", undefined);
    setAnchor(null);
    return true;
  }

  function take(result: NonNullable<ReturnType<typeof keyResult>>): boolean {
    if (result.kind === "clear") return clear();
    setAnchor(result.kind === "move" ? result.cursor.anchor : null);
    if (result.kind === "move") onCursor(timesMs[result.cursor.index ?? 0]! + stepMs / 2);
    else onSelect(isMarkingBefore ? "before" : "selected", spanOf(result.from, result.to));
    return true;
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const result = keyResult({ index: isActive ? cursor : null, anchor }, event, timesMs.length);
    if (result === undefined || !take(result)) return;
    event.preventDefault();
    event.stopPropagation();
    setActive(true);
  }

  function onBlur() {
    if (isActive) onCursor(null);
    leave();
  }

  return {
    isActive,
    span:
      anchor === null || cursor === null
        ? undefined
        : spanOf(Math.min(anchor, cursor), Math.max(anchor, cursor)),
    leave,
    handlers: { onKeyDown, onBlur },
  };
}

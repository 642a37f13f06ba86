import type { TimeSpan } from "#charts/model/series.ts";
import type { PlotBox } from "#charts/plot/create-plot.ts";

interface SelectedSpanProps {
  readonly span: TimeSpan | undefined;
  readonly whole: TimeSpan;
  readonly box: PlotBox;
  /** Whether its ends can be dragged, and the whole by the handle on top. */
  readonly isAdjustable: boolean;
}

export function SelectedSpan({ span, whole, box, isAdjustable }: SelectedSpanProps) {
  if (span === undefined || span.toMs <= whole.fromMs || span.fromMs >= whole.toMs) return null;
  const x = (atMs: number) => positionOf(Math.min(whole.toMs, Math.max(whole.fromMs, atMs)), whole, box);
  const left = x(span.fromMs);
  return (
    <div
      data-selected-span
      className="pointer-events-none absolute border-accent border-x bg-accent/14"
      style={{ left, width: Math.max(2, x(span.toMs) - left), top: box.top, height: box.height }}
    >
      {isAdjustable && <Grips />}
    </div>
  );
}

const grip = "pointer-events-auto absolute flex touch-none items-center";
const bar = "pointer-events-none rounded-full bg-accent";

/**
 * Handles for pointers; the keyboard selects with Shift and the arrow keys. Those of the ends reach outwards and the
 * one on top keeps its width, so that a narrow selection can still be moved.
 */
function Grips() {
  return (
    <>
      <div
        data-grip="from"
        title="Move the beginning"
        className={`${grip} inset-y-0 -left-3 w-4 justify-end pr-0.5 cursor-ew-resize`}
      >
        <span className={`${bar} h-5 w-1`} />
      </div>
      <div
        data-grip="to"
        title="Move the end"
        className={`${grip} inset-y-0 -right-3 w-4 justify-start pl-0.5 cursor-ew-resize`}
      >
        <span className={`${bar} h-5 w-1`} />
      </div>
      <div
        data-grip="move"
        title="Move the selection"
        className={`${grip} -top-2 left-1/2 h-4 w-10 max-w-full min-w-5 -translate-x-1/2 cursor-grab`}
      >
        <span className={`${bar} h-1 w-full`} />
      </div>
    </>
  );
}

/** CSS pixels from the left edge of the chart. */
export function positionOf(atMs: number, whole: TimeSpan, box: PlotBox): number {
  return box.left + ((atMs - whole.fromMs) / (whole.toMs - whole.fromMs)) * box.width;
}

import { ArrowLeftRight, X, ZoomIn } from "lucide-react";
import type { TimeSpan } from "#charts/model/series.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { betweenRange } from "#time-range/view-range.ts";
import { Button } from "#ui/controls/button.tsx";
import type { Explore } from "./use-explore.ts";

/** Which part of the range the page shows, and the way back. */
export function SelectionNote({ explore }: { readonly explore: Explore }) {
  const { selection, select, time } = explore;
  if (selection === undefined) return null;
  return (
    <span className="flex min-h-9 flex-wrap items-center gap-2">
      <span className="text-label tabular-nums">
        <span className="text-muted">Selected: </span>
        {spanText(selection.fromMs, selection.toMs, time.zone)}
      </span>
      <Button size="sm" className="h-8" onClick={() => zoomIn(explore, selection)}>
        <ZoomIn aria-hidden className="size-3.5" strokeWidth={1.75} />
        Zoom in
      </Button>
      <Button size="sm" className="h-8" onClick={() => select(undefined)}>
        Clear
      </Button>
    </span>
  );
}

function zoomIn({ time, change }: Explore, { fromMs, toMs }: TimeSpan): void {
  const range = betweenRange(fromMs, toMs);
  if (range === undefined) return;
  time.change(range);
  change({ selection: undefined, before: undefined }, true);
}

/** The same for the overview, whose header names the selection: one line of the toolbar has room for them. */
export function SelectionButtons({ explore }: { readonly explore: Explore }) {
  const { selection, before, isMarking, setMarking, markBefore, select } = explore;
  if (selection === undefined) return null;
  const isComparing = before !== undefined;
  const endLabel = isComparing ? "End the comparison" : "Clear the selection";
  return (
    <span className="flex h-9 items-center gap-1">
      <Button
        size="icon"
        className="size-8"
        aria-label="Zoom in"
        title="Zoom in"
        onClick={() => zoomIn(explore, selection)}
      >
        <ZoomIn aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
      {!isComparing && (
        <Button
          size="sm"
          className="h-8"
          aria-pressed={isMarking}
          title="Drag over the baseline range, or Shift-drag."
          onClick={() => setMarking(!isMarking)}
        >
          <ArrowLeftRight aria-hidden className="size-3.5" strokeWidth={1.75} />
          {isMarking ? "Mark before" : "Compare"}
        </Button>
      )}
      <Button
        size="icon"
        className="size-8"
        aria-label={endLabel}
        title={endLabel}
        onClick={() => (isComparing ? markBefore(undefined) : select(undefined))}
      >
        <X aria-hidden className="size-4" strokeWidth={1.75} />
      </Button>
    </span>
  );
}

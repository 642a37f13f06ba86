import { CalendarClock, ChevronDown } from "lucide-react";
import { cloneElement, useEffect, useRef } from "react";
import { importOnce } from "#api/import-page.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { touchTarget } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/overlays/first-use.ts";
import { RefreshMenu } from "./refresh-menu.tsx";
import { endTabRange } from "./saved-range.ts";
import { useTimeRange } from "./use-time-range.ts";
import { moveRange, resizeRange, type ViewRange } from "./view-range.ts";

const loadRangePopover = importOnce(() => import("./range-popover.tsx"));

/** The time range of the page, and how often it is read again. `[`, `]`, `-` and `=` change it from anywhere. */
export function TimeRangeControl() {
  const state = useTimeRange();
  const { range, label, change } = state;
  // Each key press goes on from the range of the one before, which the URL may not show yet.
  const latest = useRef(range);
  useEffect(() => {
    latest.current = range;
    endTabRange(range);
  }, [range]);
  function step(next: (range: ViewRange, nowMs: number) => ViewRange) {
    latest.current = next(latest.current, Date.now());
    change(latest.current);
  }
  useShortcuts({
    earlier: () => step((current, nowMs) => moveRange(current, -1, nowMs)),
    later: () => step((current, nowMs) => moveRange(current, 1, nowMs)),
    widen: () => step((current, nowMs) => resizeRange(current, "widen", nowMs)),
    narrow: () => step((current, nowMs) => resizeRange(current, "narrow", nowMs)),
  });

  const { used, triggerProps } = useFirstUse(loadRangePopover, "dialog");
  const trigger = (
    <button
      type="button"
      aria-label={`Time range: ${label}`}
      aria-keyshortcuts="[ ] - ="
      className={cx(
        "inline-flex h-9 min-w-36 items-center gap-2 rounded-l-control border border-line-strong bg-surface pr-2 pl-2.5 transition-colors duration-150 hover:bg-surface-2 focus-visible:z-10 data-[popup-open]:bg-surface-2",
        touchTarget,
      )}
    >
      <CalendarClock aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
      <span className="min-w-0 flex-1 truncate text-left tabular-nums">{label}</span>
      <ChevronDown aria-hidden className="size-4 shrink-0 text-muted" strokeWidth={1.75} />
    </button>
  );

  return (
    <div className="flex min-w-0">
      {used === undefined ? (
        cloneElement(trigger, triggerProps)
      ) : (
        <used.parts.RangePopover trigger={trigger} state={state} showsKeys />
      )}
      <RefreshMenu state={state} />
    </div>
  );
}

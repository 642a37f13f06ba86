import { useQueryClient } from "@tanstack/react-query";
import { CalendarClock, ChevronDown, RefreshCw } from "lucide-react";
import { cloneElement, useEffect, useRef } from "react";
import { importOnce } from "#api/import-page.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { type RefreshChoice, refreshChoices } from "#preferences/auto-refresh.ts";
import { touchTarget } from "#ui/controls/button.tsx";
import { Menu, MenuItem, MenuRadioGroup, MenuSeparator } from "#ui/controls/menu.tsx";
import { cx } from "#ui/cx.ts";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { endTabRange } from "./saved-range.ts";
import { type TimeRangeState, useTimeRange } from "./use-time-range.ts";
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

const labels: Record<RefreshChoice, string> = {
  live: "Live",
  "10s": "Every 10 s",
  "30s": "Every 30 s",
  "1m": "Every minute",
  "5m": "Every 5 minutes",
  off: "Off",
};
const shortLabels: Record<RefreshChoice, string> = {
  ...labels,
  "10s": "10 s",
  "30s": "30 s",
  "1m": "1 min",
  "5m": "5 min",
};

const options = refreshChoices.map((value) => ({ value, label: labels[value], icon: null }));

/** A range that has ended is read once, whatever the choice is. */
function RefreshMenu({ state }: { readonly state: TimeRangeState }) {
  const queries = useQueryClient();
  const isEnded = state.range.kind === "between";
  const label = isEnded ? "Off" : shortLabels[state.refresh];
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={`Auto refresh: ${label}`}
          className={cx(
            "-ml-px inline-flex h-9 items-center gap-1.5 rounded-r-control border border-line-strong bg-surface px-2.5 text-muted transition-colors duration-150 hover:bg-surface-2 hover:text-text data-[popup-open]:bg-surface-2",
            touchTarget,
          )}
        >
          <RefreshCw aria-hidden className="size-3.5" strokeWidth={1.75} />
          <span className="text-label max-sm:sr-only">{label}</span>
          <ChevronDown aria-hidden className="size-3.5 max-sm:hidden" strokeWidth={1.75} />
        </button>
      }
    >
      <MenuItem onSelect={() => void queries.refetchQueries({ type: "active" })}>
        <RefreshCw aria-hidden strokeWidth={1.75} />
        Refresh now
      </MenuItem>
      <MenuSeparator />
      {isEnded ? (
        <p className="max-w-52 px-2.5 py-1.5 text-label text-muted">
          This range is in the past: no auto refresh.
        </p>
      ) : (
        <MenuRadioGroup
          label="Auto refresh"
          value={state.refresh}
          options={options}
          onChange={state.changeRefresh}
        />
      )}
    </Menu>
  );
}

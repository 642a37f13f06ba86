import { Popover as Base } from "@base-ui/react/popover";
import { timeRanges } from "@flamekeep/contract";
import { CalendarClock, Check, ChevronDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { rangeLabel } from "#format/time.ts";
import { useShortcuts } from "#keyboard/use-shortcuts.ts";
import { Kbd } from "#ui/content/kbd.tsx";
import { touchTarget } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { RangeForm } from "./range-form.tsx";
import { RefreshMenu } from "./refresh-menu.tsx";
import { rememberRange } from "./saved-range.ts";
import { type TimeRangeState, useTimeRange } from "./use-time-range.ts";
import { isSameRange, lastRange, moveRange, resizeRange, type ViewRange } from "./view-range.ts";

/** The time range of the page, and how often it is read again. `[`, `]`, `-` and `=` change it from anywhere. */
export function TimeRangeControl() {
  const state = useTimeRange();
  const { range, label, change } = state;
  const [isOpen, setOpen] = useState(false);
  // Each key press goes on from the range of the one before, which the URL may not show yet.
  const latest = useRef(range);
  useEffect(() => {
    latest.current = range;
    rememberRange(range);
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

  function choose(next: ViewRange) {
    setOpen(false);
    change(next);
  }

  return (
    <div className="flex min-w-0">
      <Base.Root open={isOpen} onOpenChange={setOpen}>
        <Base.Trigger
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
        </Base.Trigger>
        <Base.Portal>
          <Base.Positioner sideOffset={6} align="end" collisionPadding={8} className="z-50">
            <Base.Popup className="max-h-[var(--available-height)] w-[min(35rem,calc(100vw-1rem))] overflow-y-auto rounded-card border border-line bg-surface shadow-float outline-none transition-opacity duration-120 data-[ending-style]:opacity-0 data-[starting-style]:opacity-0 sm:flex">
              <Base.Title className="sr-only">Time range</Base.Title>
              <div className="flex flex-col justify-between border-line max-sm:border-b sm:w-44 sm:border-r">
                <Presets state={state} onChoose={choose} />
                <Keys />
              </div>
              <RangeForm state={state} onChoose={choose} />
            </Base.Popup>
          </Base.Positioner>
        </Base.Portal>
      </Base.Root>
      <RefreshMenu state={state} />
    </div>
  );
}

interface PresetsProps {
  readonly state: TimeRangeState;
  readonly onChoose: (range: ViewRange) => void;
}

function Presets({ state, onChoose }: PresetsProps) {
  return (
    <ul aria-label="Presets" className="grid shrink-0 grid-cols-2 content-start gap-0.5 p-2 sm:grid-cols-1">
      {timeRanges.map((span) => {
        const preset = lastRange(span);
        const isCurrent = preset !== undefined && isSameRange(preset, state.range);
        return (
          <li key={span}>
            <button
              type="button"
              aria-pressed={isCurrent}
              onClick={() => preset && onChoose(preset)}
              className="flex h-8 w-full items-center gap-2 rounded-badge px-2 text-left hover:bg-surface-2 max-md:min-h-10"
            >
              <span className="flex-1">{rangeLabel(span)}</span>
              {isCurrent && <Check aria-hidden className="size-4 text-accent-text" />}
            </button>
          </li>
        );
      })}
    </ul>
  );
}

/** The keys that work while the popup is closed, where there is a keyboard. */
function Keys() {
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-3 gap-y-1.5 p-4 text-label text-muted max-sm:hidden">
      <dt className="flex gap-1">
        <Kbd>[</Kbd>
        <Kbd>]</Kbd>
      </dt>
      <dd>Move</dd>
      <dt className="flex gap-1">
        <Kbd>-</Kbd>
        <Kbd>=</Kbd>
      </dt>
      <dd>Widen, narrow</dd>
    </dl>
  );
}

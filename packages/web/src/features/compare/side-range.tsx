import type { SideMeta } from "@flamekeep/flame/compare";
import { CalendarClock } from "lucide-react";
import { cloneElement } from "react";
import { importOnce } from "#api/import-page.ts";
import { chooseZone } from "#preferences/time-zone.ts";
import { betweenRange, boundsOf, defaultRange, isoText, type ViewRange } from "#time-range/view-range.ts";
import { Button } from "#ui/controls/button.tsx";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import { type SideName, spanOfSide } from "./model.ts";
import type { Compare } from "./use-compare.ts";

const loadRangePopover = importOnce(() => import("#time-range/range-popover.tsx"));

interface SideRangeProps {
  readonly name: SideName;
  readonly side: SideMeta;
  readonly compare: Compare;
}

/** Chooses the range of a side by a preset or by typing: an empty timeline cannot be dragged. */
export function SideRange({ name, side, compare }: SideRangeProps) {
  const { used, triggerProps } = useFirstUse(loadRangePopover, "dialog");
  const { fromMs, toMs } = spanOfSide(side);
  const range = betweenRange(fromMs, toMs) ?? defaultRange;
  const trigger = (
    <Button size="sm" variant="ghost" aria-label={`Range of ${name}`}>
      <CalendarClock aria-hidden className="size-3.5" strokeWidth={1.75} />
      Range
    </Button>
  );
  if (used === undefined) return cloneElement(trigger, triggerProps);
  // The address has instants, so that a link shows the same comparison later.
  const change = (next: ViewRange) => {
    const bounds = boundsOf(next, Date.now());
    compare.changeSide(name, { from: isoText(bounds.fromMs), to: isoText(bounds.toMs) });
  };
  return (
    <used.parts.RangePopover
      trigger={trigger}
      state={{ range, change, zone: compare.zone, changeZone: chooseZone }}
    />
  );
}

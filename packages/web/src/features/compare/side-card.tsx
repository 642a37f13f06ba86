import type { SideMeta } from "@flamekeep/flame/compare";
import { Link } from "@tanstack/react-router";
import { CalendarClock } from "lucide-react";
import { cloneElement, Suspense } from "react";
import { importOnce, lazyPart } from "#api/import-page.ts";
import { spanText } from "#charts/model/time-ticks.ts";
import { type SideName, spanOfSide } from "#comparison/model.ts";
import { durationMsMeasure } from "#format/measure.ts";
import { plural } from "#format/number.ts";
import { chooseZone } from "#preferences/time-zone.ts";
import { betweenRange, boundsOf, defaultRange, isoText, type ViewRange } from "#time-range/view-range.ts";
import { Card, CardHeader } from "#ui/content/card.tsx";
import { Skeleton } from "#ui/content/skeleton.tsx";
import { ExactTime, Quantity } from "#ui/content/values.tsx";
import { Button } from "#ui/controls/button.tsx";
import { useFirstUse } from "#ui/hooks/first-use.ts";
import type { SideProps } from "./side-timeline.tsx";
import { TimelineSkeleton } from "./timeline-skeleton.tsx";
import type { Compare } from "./use-compare.ts";

const SideFilters = lazyPart(async () => (await import("./side-filters.tsx")).SideFilters);

// With the library of charts, which is not needed until the comparison is there.
const SideTimeline = lazyPart(async () => (await import("./side-timeline.tsx")).SideTimeline);

/** One side: which profiles it is made of, on a timeline where dragging chooses others. */
export function SideCard({ name, compare, meta, sampleType, window }: SideProps) {
  const side = meta[name];
  const span = spanOfSide(side);
  const title = name === "before" ? "Before" : "After";
  const detail =
    side.profileId === null
      ? `${side.service}, ${spanText(span.fromMs, span.toMs, compare.zone)}, ${plural(side.profiles, "profile")}`
      : side.service;
  return (
    <Card className="min-w-0">
      <CardHeader
        title={title}
        detail={detail}
        actions={
          <div className="flex min-w-0 flex-wrap gap-2">
            {side.profileId === null && <SideRange {...{ name, side, compare }} />}
            <Suspense fallback={<Skeleton className="h-8 w-40" />}>
              <SideFilters {...{ name, compare, meta, sampleType }} />
            </Suspense>
          </div>
        }
      />
      {side.profileId === null ? (
        <Suspense
          fallback={
            <div className="px-3 pb-2">
              <TimelineSkeleton />
            </div>
          }
        >
          <SideTimeline {...{ name, compare, meta, sampleType, window }} />
        </Suspense>
      ) : (
        <dl className="grid grid-cols-2 gap-4 px-4 pb-4 text-label">
          <div>
            <dt className="text-muted">Profile</dt>
            <dd>
              <Link
                to="/profile/$profileId"
                params={{ profileId: side.profileId }}
                className="font-mono text-accent-text text-code hover:underline"
              >
                {side.profileId.slice(0, 12)}
              </Link>
            </dd>
          </div>
          <div>
            <dt className="text-muted">Started</dt>
            <dd>
              <ExactTime at={side.from} />
              {side.durationMs > 0 && (
                <>
                  {", for "}
                  <Quantity value={durationMsMeasure(side.durationMs)} />
                </>
              )}
            </dd>
          </div>
        </dl>
      )}
    </Card>
  );
}

const loadRangePopover = importOnce(() => import("#time-range/range-popover.tsx"));

interface SideRangeProps {
  readonly name: SideName;
  readonly side: SideMeta;
  readonly compare: Compare;
}

/** Chooses the range of a side by a preset or by typing: an empty timeline cannot be dragged. */
function SideRange({ name, side, compare }: SideRangeProps) {
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

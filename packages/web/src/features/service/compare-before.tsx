import { toLinkParams } from "@flamekeep/flame";
import { Link } from "@tanstack/react-router";
import { ArrowLeftRight } from "lucide-react";
import type { TimeSpan } from "#charts/model/series.ts";
import { ShareButton } from "#sharing/share-button.tsx";
import type { Shared } from "#sharing/shared.ts";
import { boundsOf } from "#time-range/view-range.ts";
import { buttonClass } from "#ui/controls/button.tsx";
import { cx } from "#ui/cx.ts";
import { useNow } from "#ui/hooks/use-now.ts";
import { queryOfSelection } from "./search.ts";
import type { Explore } from "./use-explore.ts";

interface CompareBeforeProps {
  readonly explore: Explore;
  /** Small enough for the toolbar of the graph. */
  readonly isCompact: boolean;
}

/**
 * Compares what is selected with the time before it, as long. After a click on a deploy, that is before and after the deploy; on
 * the page of an alert, before and after the increase began.
 */
export function CompareBefore({ explore, isCompact }: CompareBeforeProps) {
  const { service, tab, time, selection, since, sampleType, tags, labels } = explore;
  const nowMs = useNow();
  if (tab === "all") return null;
  const span = selection ?? boundsOf(time.range, nowMs);
  const increasedMs = selection === undefined && since !== undefined ? Date.parse(since) : undefined;
  const spans = comparedSpans(span, increasedMs);
  const [before, after] = [queryOfSelection(spans.before), queryOfSelection(spans.after)];
  const isTagged = Object.keys(tags).length > 0;
  const isLabelled = Object.keys(labels).length > 0;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ShareButton
        label="Share"
        copied="Link copied to clipboard!"
        shared={() => sharedRange(explore, tab, span)}
        {...(isCompact && { className: "h-8 px-2.5 text-label" })}
      />
      <Link
        to="/compare"
        search={{
          service,
          type: tab,
          ...(sampleType !== undefined && { sample_type: sampleType }),
          before_from: before.from,
          before_to: before.to,
          after_from: after.from,
          after_to: after.to,
          ...(isTagged && { before_tags: tags, after_tags: tags }),
          ...(isLabelled && { before_labels: labels, after_labels: labels }),
        }}
        className={cx(buttonClass("secondary", isCompact ? "sm" : "md"), isCompact && "h-8")}
      >
        <ArrowLeftRight aria-hidden className="size-4" strokeWidth={1.75} />
        <span className={isCompact ? "max-2xl:sr-only" : undefined}>
          {spans.after.fromMs === span.fromMs
            ? "Compare with the previous period"
            : "Compare with the time before the increase"}
        </span>
      </Link>
    </div>
  );
}

/** The flame graph of the page. Its range does not move as the page's does. */
function sharedRange(
  explore: Explore,
  type: Exclude<Explore["tab"], "all">,
  { fromMs, toMs }: TimeSpan,
): Shared {
  const { service, sampleType, grouping, tags, labels, byLabel, view } = explore;
  const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
  return {
    graph: {
      kind: "range",
      service,
      type,
      from,
      to,
      tags,
      labels,
      sample_type: sampleType,
      group_by: grouping,
      group_by_label: byLabel,
    },
    look: { ...toLinkParams(view) },
  };
}

/**
 * A span and the time before it, of the same length. If the page was opened from an alert, the time after the increase began and the time before that:
 * otherwise the increase would be inside `after`, and the comparison would show only a part of it.
 */
export function comparedSpans({ fromMs, toMs }: TimeSpan, increasedMs: number | undefined) {
  const isInside = increasedMs !== undefined && increasedMs > fromMs && increasedMs < toMs;
  const startMs = isInside ? increasedMs : fromMs;
  return {
    before: { fromMs: startMs - (toMs - startMs), toMs: startMs },
    after: { fromMs: startMs, toMs },
  };
}

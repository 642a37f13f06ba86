import { type ReactNode, useState } from "react";
import type { ChartSeries } from "#charts/model/chart.ts";
import { CompareEntry } from "#sample-labels/compare-entry.tsx";
import { boundsOf } from "#time-range/view-range.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { queryOfSelection } from "./search.ts";
import type { Explore } from "./use-explore.ts";

/** The buttons of a grouped timeline's legend: two of them compare their values. Undefined where nothing is grouped. */
export function useCompareEntries(explore: Explore): ((series: ChartSeries) => ReactNode) | undefined {
  const [first, setFirst] = useState<ChartSeries>();
  const nowMs = useMinute();
  const { groupBy, splitLabel } = explore;
  const name = splitLabel ?? groupBy;
  if (name === undefined || explore.tab === "all") return undefined;
  return (series) => {
    const value = groupValue(series);
    // Profiles without a tag cannot be filtered by it.
    if (value === undefined || (value === "" && splitLabel === undefined)) return null;
    return (
      <CompareEntry
        text={series.label}
        first={first && { text: first.label, isThis: first.id === series.id }}
        onFirst={() => setFirst(first?.id === series.id ? undefined : series)}
        search={first && comparedSearch(explore, [groupValue(first) ?? "", value], nowMs)}
      />
    );
  };
}

/** Undefined for the sum of all other values. */
function groupValue({ id }: ChartSeries): string | undefined {
  return id.startsWith("=") ? id.slice(1) : undefined;
}

/** Search of the comparison of two values of the grouped tag or label, with the filters and the time of the page. */
export function comparedSearch(
  explore: Explore,
  [before, after]: readonly [before: string, after: string],
  nowMs: number,
) {
  const { service, tab, sampleType, tags, labels, groupBy, splitLabel } = explore;
  const side = (value: string) =>
    splitLabel === undefined
      ? { tags: { ...tags, [groupBy ?? ""]: value }, labels }
      : { tags, labels: { ...labels, [splitLabel]: value } };
  const sides = { before: side(before), after: side(after) };
  const ifAny = (values: Readonly<Record<string, string>>) =>
    Object.keys(values).length === 0 ? undefined : values;
  return {
    service,
    type: tab,
    sample_type: sampleType,
    ...sameTimes(explore, nowMs),
    before_tags: ifAny(sides.before.tags),
    before_labels: ifAny(sides.before.labels),
    after_tags: ifAny(sides.after.tags),
    after_labels: ifAny(sides.after.labels),
  };
}

/** The time of the page for both sides of a comparison, whose address has no times up to now. */
export function sameTimes({ selection, time }: Pick<Explore, "selection" | "time">, nowMs: number) {
  const { from, to } = queryOfSelection(selection ?? boundsOf(time.range, nowMs));
  return { before_from: from, before_to: to, after_from: from, after_to: to };
}

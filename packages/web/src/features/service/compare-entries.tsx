import { type ReactNode, useState } from "react";
import type { ChartSeries } from "#charts/model/chart.ts";
import { CompareEntry } from "#sample-labels/compare-entry.tsx";
import type { Explore } from "./use-explore.ts";

/** The buttons of a grouped timeline's legend: two of them compare their values. Undefined where nothing is grouped. */
export function useCompareEntries(explore: Explore): ((series: ChartSeries) => ReactNode) | undefined {
  const [first, setFirst] = useState<ChartSeries>();
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
        search={first && comparedSearch(explore, groupValue(first) ?? "", value)}
      />
    );
  };
}

/** Undefined for the sum of all other values. */
function groupValue({ id }: ChartSeries): string | undefined {
  return id.startsWith("=") ? id.slice(1) : undefined;
}

/** Search of the comparison of two values of the grouped tag or label, with the filters and the time of the page. */
export function comparedSearch(explore: Explore, before: string, after: string) {
  const { service, tab, active, sampleType, tags, labels, groupBy, splitLabel } = explore;
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
    before_from: active.from,
    before_to: active.to,
    before_tags: ifAny(sides.before.tags),
    before_labels: ifAny(sides.before.labels),
    after_from: active.from,
    after_to: active.to,
    after_tags: ifAny(sides.after.tags),
    after_labels: ifAny(sides.after.labels),
  };
}

import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { LabelFilter } from "#sample-labels/label-filter.tsx";
import { noLabels } from "#sample-labels/model.ts";
import { serviceLabelsQuery } from "#sample-labels/queries.ts";
import type { Explore } from "./use-explore.ts";

interface RangeLabelFilterProps {
  readonly explore: Explore;
  readonly type: Exclude<Explore["tab"], "all">;
  /** Whether the chart has loaded; the labels are asked for afterwards. */
  readonly isReady: boolean;
}

/** The labels of samples that graph and timeline count. */
export function RangeLabelFilter({ explore, type, isReady }: RangeLabelFilterProps) {
  const { service, time, sampleType, tags, labels, change } = explore;
  const all = { service, type, range: time.query, sampleType, tags, labels: noLabels };
  const { data } = useQuery({ ...serviceLabelsQuery(all), enabled: isReady });
  return (
    <LabelFilter
      found={data}
      labels={labels}
      // A timeline is split by a tag or has samples with labels.
      onChange={(next) => change({ labels: next, group_by: undefined, ...withoutFrameRefs })}
    />
  );
}

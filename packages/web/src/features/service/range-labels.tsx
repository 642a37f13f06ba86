import type { GraphType } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { plural } from "#format/number.ts";
import { LabelFilter } from "#sample-labels/label-filter.tsx";
import { LabelsCard } from "#sample-labels/labels-card.tsx";
import { noLabels } from "#sample-labels/model.ts";
import { serviceLabelsQuery, serviceTagsQuery } from "#sample-labels/queries.ts";
import { useMinute } from "#ui/hooks/use-now.ts";
import { sameTimes } from "./compare-entries.tsx";
import type { Explore } from "./use-explore.ts";

/** The labels of the samples in what is selected. */
export function RangeLabels({ explore, type }: { readonly explore: Explore; readonly type: GraphType }) {
  const { service, active: range, sampleType, tags, labels, byLabel, change } = explore;
  const { data } = useQuery(serviceLabelsQuery({ service, type, range, sampleType, tags, labels }));
  const nowMs = useMinute();
  const unrecorded = data?.profiles_unrecorded ?? 0;
  return (
    <LabelsCard
      found={data}
      labels={labels}
      groupBy={byLabel}
      // A timeline is split by a tag or has samples with labels.
      onChange={(next) => change({ labels: next, group_by: undefined, ...withoutFrameRefs })}
      onGroupBy={(name) => change({ by_label: name, ...withoutFrameRefs })}
      compared={(before, after) => ({
        service,
        type,
        ...(sampleType !== undefined && { sample_type: sampleType }),
        ...sameTimes(explore, nowMs),
        ...(Object.keys(tags).length > 0 && { before_tags: tags, after_tags: tags }),
        before_labels: before,
        after_labels: after,
      })}
      note={
        unrecorded > 0
          ? `${plural(unrecorded, "profile")} of this range are not included: their labels were not recorded.`
          : undefined
      }
    />
  );
}

/** The tags by which profiles of the range differ, such as their versions: two values are compared in two clicks. */
export function RangeTags({ explore, type }: { readonly explore: Explore; readonly type: GraphType }) {
  const { service, active: range, sampleType, tags, labels, changeTags } = explore;
  const { data } = useQuery(serviceTagsQuery({ service, range, tab: type, q: "" }));
  const nowMs = useMinute();
  const keys = (data?.tags ?? [])
    .filter(({ values }) => values.length > 1)
    .map(({ name, profiles, values }) => ({
      name,
      total: profiles,
      values: values.map(({ value, profiles: total }) => ({ value, total })),
    }));
  return (
    <LabelsCard
      kind="Tag"
      found={{ keys }}
      labels={tags}
      onChange={(next) => changeTags(next ?? {})}
      compared={(before, after) => ({
        service,
        type,
        ...(sampleType !== undefined && { sample_type: sampleType }),
        ...sameTimes(explore, nowMs),
        before_tags: before,
        after_tags: after,
        ...(Object.keys(labels).length > 0 && { before_labels: labels, after_labels: labels }),
      })}
    />
  );
}

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

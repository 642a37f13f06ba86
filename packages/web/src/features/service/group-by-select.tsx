import { useQuery } from "@tanstack/react-query";
import { serviceLabelsQuery, serviceTagsQuery } from "#sample-labels/queries.ts";
import { Select } from "#ui/controls/select.tsx";
import type { Explore } from "./use-explore.ts";

const noGroup = "";

interface GroupBySelectProps {
  readonly explore: Explore;
  /** Whether the chart has loaded; the names are asked for afterwards. */
  readonly isReady: boolean;
}

/** The tag or the label of samples by which the timeline has lines. */
export function GroupBySelect({ explore, isReady }: GroupBySelectProps) {
  const { service, tab, time, groupBy, splitLabel, sampleType, tags, labels } = explore;
  const { data } = useQuery({
    ...serviceTagsQuery({ service, tab, range: time.query, q: "" }),
    enabled: isReady,
  });
  const { data: ofSamples } = useQuery({
    ...serviceLabelsQuery({
      service,
      range: time.query,
      sampleType,
      tags,
      labels,
      type: tab === "all" ? "cpu" : tab,
    }),
    enabled: isReady && tab !== "all",
  });
  // Lines of tags are of whole profiles: with a filter by labels only labels can split them.
  const isFiltered = Object.keys(labels).length > 0;
  const names = isFiltered ? [] : (data?.tags.map((tag) => tag.name) ?? []);
  const keys = ofSamples?.keys.map(({ name }) => name) ?? [];
  const allKeys = splitLabel === undefined || keys.includes(splitLabel) ? keys : [...keys, splitLabel];
  const all = groupBy === undefined || names.includes(groupBy) ? names : [...names, groupBy];
  const options = [
    { value: noGroup, label: "No grouping" },
    ...all.map((value) => ({ value: `tag ${value}`, label: `By ${value}` })),
    ...allKeys.map((value) => ({ value: `label ${value}`, label: `By label ${value}` })),
  ];
  return (
    <Select
      label="Group by"
      size="sm"
      value={
        splitLabel !== undefined ? `label ${splitLabel}` : groupBy !== undefined ? `tag ${groupBy}` : noGroup
      }
      options={options}
      onChange={(value) =>
        explore.change({
          group_by: value.startsWith("tag ") ? value.slice(4) : undefined,
          split_label: value.startsWith("label ") ? value.slice(6) : undefined,
        })
      }
      className="min-w-36 max-w-56"
    />
  );
}

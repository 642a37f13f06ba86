import type { Profile } from "@flamekeep/contract";
import { withoutFrameRefs } from "@flamekeep/flame";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { LabelFilter } from "#sample-labels/label-filter.tsx";
import { LabelsCard } from "#sample-labels/labels-card.tsx";
import { type Labels, noLabels } from "#sample-labels/model.ts";
import { profileLabelsQuery } from "#sample-labels/queries.ts";

/** The labels of the samples of the profile. */
export function ProfileLabelsCard({ profile }: { readonly profile: Profile }) {
  const {
    labels = noLabels,
    by_label: byLabel,
    sample_type: sampleType,
  } = useSearch({
    from: "/protected/profile/$profileId",
  });
  const navigate = useNavigate({ from: "/profile/$profileId" });
  const { data } = useQuery(profileLabelsQuery({ id: profile.profile_id, sampleType, labels }));
  const change = (part: { labels?: Labels | undefined; by_label?: string | undefined }) =>
    void navigate({ search: (search) => ({ ...search, ...part, ...withoutFrameRefs }), resetScroll: false });
  return (
    <LabelsCard
      found={data}
      labels={labels}
      groupBy={byLabel}
      onChange={(next) => change({ labels: next })}
      onGroupBy={(name) => change({ by_label: name })}
      compared={(before, after) => ({
        ...(sampleType !== undefined && { sample_type: sampleType }),
        before_profile: profile.profile_id,
        after_profile: profile.profile_id,
        before_labels: before,
        after_labels: after,
      })}
    />
  );
}

interface ProfileLabelFilterProps {
  readonly id: string;
  readonly sampleType: string | undefined;
  readonly labels: Labels;
  readonly onChange: (labels: Labels | undefined) => void;
}

/** The labels of the samples that the flame graph of a profile has. */
export function ProfileLabelFilter({ id, sampleType, labels, onChange }: ProfileLabelFilterProps) {
  const { data } = useQuery(profileLabelsQuery({ id, sampleType, labels: noLabels }));
  return <LabelFilter found={data} labels={labels} onChange={onChange} />;
}

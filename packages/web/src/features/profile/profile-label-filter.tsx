import { useQuery } from "@tanstack/react-query";
import { LabelFilter } from "#sample-labels/label-filter.tsx";
import { type Labels, noLabels } from "#sample-labels/model.ts";
import { profileLabelsQuery } from "#sample-labels/queries.ts";

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

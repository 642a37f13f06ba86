import { type GraphType, profileLabels, serviceLabels } from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import { tagQuery } from "#profile-series/series-query.ts";
import type { RangeQuery } from "#time-range/view-range.ts";
import { type Labels, labelParams } from "./model.ts";

interface RangeLabels {
  readonly service: string;
  readonly type: GraphType;
  readonly range: RangeQuery;
  readonly sampleType: string | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly labels: Labels;
}

export function serviceLabelsQuery({ service, type, range, sampleType, tags, labels }: RangeLabels) {
  return callQuery(
    ["service-labels", service, type, sampleType, { ...range, tags, labels }],
    serviceLabels,
    {
      params: { service, type },
      query: { ...range, sample_type: sampleType, ...labelParams(labels), ...tagQuery(tags) },
    },
    { placeholderData: keepPreviousData },
  );
}

interface LabelsOfProfile {
  readonly id: string;
  readonly sampleType: string | undefined;
  readonly labels: Labels;
}

export function profileLabelsQuery({ id, sampleType, labels }: LabelsOfProfile) {
  return callQuery(
    ["profile", id, "labels", sampleType, labels],
    profileLabels,
    {
      params: { id },
      query: { sample_type: sampleType, ...labelParams(labels) },
    },
    { staleTime: Number.POSITIVE_INFINITY, placeholderData: keepPreviousData },
  );
}

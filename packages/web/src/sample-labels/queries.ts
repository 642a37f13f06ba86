import {
  type GraphType,
  listServiceTags,
  type ProfileTab,
  profileLabels,
  serviceLabels,
} from "@flamekeep/contract";
import { keepPreviousData } from "@tanstack/react-query";
import { callQuery } from "#api/call-query.ts";
import { tagQuery, whileOfSameSubject } from "#profile-series/series-query.ts";
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

interface TagsOfRange {
  readonly service: string;
  readonly range: RangeQuery;
  readonly tab: ProfileTab;
  readonly q: string;
}

/** Tags to choose from. With a text, values of any tag that contain it. */
export function serviceTagsQuery({ service, range, tab, q }: TagsOfRange) {
  const subject = ["service-tags", service, tab] as const;
  return callQuery(
    [...subject, { ...range, q }],
    listServiceTags,
    {
      params: { service },
      query: { ...range, ...(tab !== "all" && { type: tab }), ...(q !== "" && { q }) },
    },
    { placeholderData: whileOfSameSubject(subject), staleTime: 60_000 },
  );
}

import { type HttpRoute, httpTimeline, type ProfileTab, serviceSeries } from "@flamekeep/contract";
import { callQuery } from "#api/call-query.ts";
import { type Labels, labelParams } from "#sample-labels/model.ts";
import type { RangeQuery } from "#time-range/view-range.ts";

type Tags = Readonly<Record<string, string>>;

interface SeriesTopic {
  readonly service: string;
  readonly range: RangeQuery;
  readonly tab: ProfileTab;
  readonly sampleType: string | undefined;
  readonly groupBy: string | undefined;
  readonly bucket: string;
  readonly tags: Tags;
  readonly labels: Labels;
  /** The label that the lines are split by, instead of a tag. */
  readonly splitLabel: string | undefined;
}

/**
 * Keeps the data of another range while a new one loads, but not of another subject: a chart of CPU time is never shown as memory.
 * The subject is the part of the key before the last.
 */
export function whileOfSameSubject(subject: readonly unknown[]) {
  return <T>(
    data: T | undefined,
    previous: { readonly queryKey: readonly unknown[] } | undefined,
  ): T | undefined =>
    JSON.stringify(previous?.queryKey.slice(0, -1)) === JSON.stringify(subject) ? data : undefined;
}

export function seriesQuery({
  service,
  range,
  tab,
  sampleType,
  groupBy,
  bucket,
  tags,
  labels,
  splitLabel,
}: SeriesTopic) {
  const subject = ["series", service, tab, sampleType, groupBy, labels, splitLabel] as const;
  return callQuery(
    [...subject, { ...range, bucket, tags }],
    serviceSeries,
    {
      params: { service, type: tab },
      query: {
        ...range,
        bucket,
        ...(tab !== "all" && { sample_type: sampleType, group_by: groupBy, group_by_label: splitLabel }),
        ...(tab !== "all" && labelParams(labels)),
        ...tagQuery(tags),
      },
    },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

interface RequestTopic extends Pick<SeriesTopic, "service" | "range"> {
  /** All requests of the service where it is left out. */
  readonly route?: HttpRoute | undefined;
}

/** The requests of the range, at most as many points as the charts of profiles have. */
export function httpLanesQuery({ service, range, route }: RequestTopic) {
  const subject = ["http", "lanes", service, route] as const;
  const ofRoute = route && { path: route.path, ...(route.method !== "" && { method: route.method }) };
  return callQuery(
    [...subject, range],
    httpTimeline,
    { params: { service }, query: { ...range, ...ofRoute, interval: 5 } },
    { placeholderData: whileOfSameSubject(subject) },
  );
}

/** Tag filters as query parameters: `tag.region=eu`. */
export function tagQuery(tags: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(tags).map(([name, value]) => [`tag.${name}`, value]));
}

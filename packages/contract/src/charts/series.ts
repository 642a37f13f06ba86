import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Bucket, bucketFields, Instant, rangeFields } from "#base/moments.ts";
import { DisplayType, GraphType } from "#base/profile-type-schemas.ts";
import { profileTabs } from "#base/profile-types.ts";
import {
  Count,
  LabelFilter,
  LabelName,
  LabelsOfReply,
  Quantity,
  ServiceName,
  sampleTypeField,
} from "#base/values.ts";
import { Aggregation, TaggedRangeFields } from "#graphs/flame-graph.ts";
import * as calls from "./calls.ts";

const Line = z.object({
  total: Quantity.meta({ description: "Over the range, combined as `aggregation` says." }),
  profiles: Count.meta({ example: 96 }),
  values: z.array(z.number().nullable()).meta({
    description: "By bucket, combined as `aggregation` says; null where no such profile began.",
    example: [9_870_000_000, null, 10_120_000_000],
  }),
  profile_counts: z.array(Count).meta({ description: "Profiles by bucket.", example: [1, 0, 1] }),
  durations_ms: z.array(z.number()).meta({
    description: "Duration of the profiles by bucket, all together: a sum over it is a rate.",
    example: [10_000, 0, 10_000],
  }),
});

const SeriesChart = z
  .object({
    type: GraphType,
    sample_types: z.array(z.string()).meta({
      description: "The sample types of the range as `type/unit`.",
      example: ["samples/count", "cpu/nanoseconds"],
    }),
    sample_type: z.string().meta({
      description: "The sample type of the lines as `type/unit`; empty if nothing is known of it.",
      example: "cpu/nanoseconds",
    }),
    aggregation: Aggregation,
    lines: z
      .array(
        Line.extend({
          value: z.string().meta({
            description: "Value of the tag `group_by`, or of the label `group_by_label`; empty without it.",
            example: "1.42.0",
          }),
        }),
      )
      .meta({
        description: `The ${limits.seriesLinesMax} values with the largest sums, largest first; without \`group_by\` one line. Empty if there is no profile.`,
      }),
    other: Line.extend({ groups: Count.meta({ description: "Number of values.", example: 14 }) })
      .nullable()
      .meta({ description: "All other values together; null if there are none." }),
  })
  .meta({ id: "SeriesChart" });
export type SeriesChart = z.output<typeof SeriesChart>;

export const ServiceSeries = z
  .object({
    service: ServiceName,
    ...bucketFields,
    bucket: bucketFields.bucket.meta({ description: "Width of one point.", example: "5m" }),
    group_by: z.string().nullable().meta({ example: "version" }),
    group_by_label: z.string().nullable().meta({ example: null }),
    labels: LabelsOfReply,
    tags: z.record(z.string(), z.string()).meta({
      description: "Only profiles with all of these tags are counted.",
      example: { region: "eu" },
    }),
    charts: z.array(SeriesChart).meta({
      description: "One for the type; for `all` one for each type that has profiles.",
    }),
  })
  .meta({ id: "ServiceSeries" });
export type ServiceSeries = z.output<typeof ServiceSeries>;

const TagOfRange = z
  .object({
    name: z.string().meta({ example: "region" }),
    profiles: Count.meta({ description: "Profiles with the tag.", example: 432 }),
    values: z
      .array(z.object({ value: z.string().meta({ example: "eu" }), profiles: Count.meta({ example: 288 }) }))
      .meta({ description: `Most profiles first; at most ${limits.tagValuesMax}.` }),
    values_total: Count.meta({ description: "Number of values, listed or not.", example: 2 }),
  })
  .meta({ id: "TagOfRange" });
export type TagOfRange = z.output<typeof TagOfRange>;

const Deploy = z
  .object({
    timestamp: Instant.meta({ description: "Start of the first profile with the value." }),
    tag: z.string().meta({ example: "version" }),
    value: z.string().meta({ example: "1.43.0" }),
    previous: z.string().meta({ description: "The value before it.", example: "1.42.0" }),
  })
  .meta({ id: "Deploy" });
export type Deploy = z.output<typeof Deploy>;

const inTimelines = endpointIn("Timelines");
const inProfiles = endpointIn("Profiles");

export const seriesEndpoints = [
  inTimelines(calls.serviceSeries, {
    summary: "A sample type of a service over time, split by a tag",
    description:
      "Times are start times of profiles. The range is widened to whole buckets at multiples of their width, so the last one may still fill.",
    params: z.object({ service: ServiceName, type: z.enum(profileTabs).meta({ example: "cpu" }) }),
    query: z
      .looseObject({
        ...TaggedRangeFields,
        bucket: Bucket.default("15m"),
        sample_type: sampleTypeField(
          "One of the sample types of the range; by default the main one. Not with type `all`.",
        ),
        group_by: z
          .string()
          .min(1)
          .max(limits.tagNameLengthMax)
          .optional()
          .meta({ description: "Name of a tag: one line for each of its values.", example: "version" }),
        group_by_label: LabelName.optional().meta({
          description:
            "Name of a label of samples: one line for each of its values, over the profiles whose labels were recorded. Not with `group_by`.",
          example: "handler",
        }),
        labels: LabelFilter,
      })
      .meta({ description: "`tag.NAME=VALUE` keeps profiles with that tag, for example `tag.region=eu`." }),
    reply: ServiceSeries,
    failures: ["unprocessable"],
  }),
  inProfiles(calls.listServiceTags, {
    summary: "The tags of a service's profiles in a range, and their values",
    params: z.object({ service: ServiceName }),
    query: z
      .looseObject({
        ...TaggedRangeFields,
        type: DisplayType.optional().meta({ description: "Only tags of profiles of this type." }),
        name: z
          .string()
          .max(limits.tagNameLengthMax)
          .optional()
          .meta({ description: "Only this tag.", example: "region" }),
        q: z
          .string()
          .max(limits.searchLengthMax)
          .optional()
          .meta({ description: "Text in the value; case does not matter.", example: "eu" }),
      })
      .meta({ description: "`tag.NAME=VALUE` keeps profiles with that tag." }),
    reply: z.object({
      tags: z
        .array(TagOfRange)
        .meta({ description: `Most profiles first, then by name; at most ${limits.tagNamesMax}.` }),
      tags_total: Count.meta({ description: "Number of tags, listed or not.", example: 6 }),
    }),
  }),
  inTimelines(calls.listDeploys, {
    summary: "When new versions of a service appeared",
    description: `A deploy is the first profile with a version tag value that is new in ${limits.deployLookbackDays} days. The version tag is the first present of version, service_version, service.version, git_sha, service_git_ref, release, revision and commit. A service's first version is not a deploy.`,
    params: z.object({ service: ServiceName }),
    query: z.object(rangeFields("24h")),
    reply: z.object({
      deploys: z
        .array(Deploy)
        .meta({ description: `Oldest first; the latest ${limits.deploysMax} of the range.` }),
      deploys_total: Count.meta({ description: "In the range, listed or not.", example: 1 }),
    }),
  }),
] as const;

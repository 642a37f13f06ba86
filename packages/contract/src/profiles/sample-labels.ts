import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant } from "#base/moments.ts";
import { GraphType } from "#base/profile-type-schemas.ts";
import {
  Count,
  LabelFilter,
  LabelName,
  LabelsOfReply,
  ProfileParams,
  Quantity,
  ServiceName,
  sampleTypeField,
} from "#base/values.ts";
import { Aggregation, TaggedRangeFields } from "#graphs/flame-graph.ts";
import * as calls from "./calls.ts";

const LabelKey = z
  .object({
    name: z.string().meta({ example: "handler" }),
    total: Quantity.meta({ description: "Of the samples with the label.", example: 7_200_000_000 }),
    values: z
      .array(
        z.object({
          value: z.string().meta({ example: "/checkout" }),
          total: Quantity.meta({ example: 4_100_000_000 }),
        }),
      )
      .meta({ description: `Largest first; at most ${limits.labelValuesMax}.` }),
    values_total: Count.meta({ description: "Number of values, listed or not.", example: 3 }),
    folded_total: Quantity.nullable().meta({
      description: "Total of values folded because a profile had too many; null if none.",
      example: null,
    }),
  })
  .meta({ id: "SampleLabel" });
export type SampleLabel = z.output<typeof LabelKey>;

const SampleLabels = z.object({
  sample_type: z.object({ type: z.string(), unit: z.string() }).meta({
    example: { type: "cpu", unit: "nanoseconds" },
  }),
  total: Quantity.meta({
    description:
      "Total of all counted samples. Minus the total of a label: the total of samples without that label.",
    example: 9_870_000_000,
  }),
  labels: LabelsOfReply,
  keys: z.array(LabelKey).meta({ description: `Largest first; at most ${limits.labelKeysMax}.` }),
  keys_total: Count.meta({ description: "Number of labels, listed or not.", example: 2 }),
});

export const ProfileLabels = SampleLabels.meta({ id: "ProfileLabels" });
export type ProfileLabels = z.output<typeof ProfileLabels>;

export const ServiceLabels = SampleLabels.extend({
  from: Instant.meta({ description: "Start of the range, a whole minute, included." }),
  to: Instant.meta({ description: "End of the range, a whole minute, not included." }),
  aggregation: Aggregation,
  profiles_merged: Count.meta({ description: "Number of merged profiles.", example: 96 }),
  profiles_unrecorded: Count.meta({
    description:
      "Profiles not included, because their labels were not recorded: uploaded by an earlier version, cumulative, or with too many labels.",
    example: 0,
  }),
}).meta({ id: "ServiceLabels" });
export type ServiceLabels = z.output<typeof ServiceLabels>;

const sampleType = sampleTypeField("By default the main one.");

const numbers =
  "Numeric values are grouped into ranges that double in width, such as `512-1023`. If a sample has a label twice, its first value counts.";

const endpoint = endpointIn("Profiles");

export const sampleLabelEndpoints = [
  endpoint(calls.serviceLabels, {
    summary: "The labels of the samples of a service in a range, with the total of each value",
    description: `Labels that the program gave its samples, as with \`pprof.Do\`. ${numbers}`,
    params: z.object({
      service: ServiceName,
      type: GraphType,
    }),
    query: z
      .looseObject({
        ...TaggedRangeFields,
        labels: LabelFilter,
        sample_type: sampleType,
        key: LabelName.optional().meta({ description: "Only this label.", example: "handler" }),
      })
      .meta({ description: "`tag.NAME=VALUE` keeps profiles with that tag." }),
    reply: ServiceLabels,
    failures: ["unprocessable"],
  }),
  endpoint(calls.profileLabels, {
    summary: "The labels of the samples of one profile, with the total of each value",
    description: `Read from the original bytes. ${numbers}`,
    params: ProfileParams,
    query: z.object({ labels: LabelFilter, sample_type: sampleType }),
    reply: ProfileLabels,
    failures: ["not_found", "unprocessable"],
  }),
] as const;

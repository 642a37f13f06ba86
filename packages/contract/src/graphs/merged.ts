import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { GraphType, ProfileType, separateTypesText } from "#base/profile-type-schemas.ts";
import { Count, LabelFilter, LabelsOfReply, ServiceName, TagFilter } from "#base/values.ts";
import * as calls from "./calls.ts";
import { flameGraphContentType } from "./calls.ts";
import {
  FlameGraph,
  FlameGraphPart,
  flameGraphDownloads,
  flameGraphForms,
  flameGraphUnchanged,
  GroupByLabel,
} from "./flame-graph.ts";

export const aggregations = ["sum", "mean"] as const;

/** How the values of many profiles are combined. */
export const Aggregation = z.enum(aggregations).meta({
  description:
    "`mean` for gauges (memory in use, goroutines, custom counts): the mean over the profiles. `sum` for all else.",
  example: "sum",
});
export type Aggregation = z.output<typeof Aggregation>;

/** Query parameters of calls over a range of tagged profiles; names that begin with `tag.` are allowed. */
export const TaggedRangeFields = { ...rangeFields("24h"), tags: TagFilter };

export const MergedFlameGraph = FlameGraph.extend({
  profile_id: z.string().meta({
    description: "`SERVICE/TYPE`, because the graph is of many profiles.",
    example: "checkout/cpu",
  }),
  duration_ms: z.number().meta({ description: "Of all the profiles together.", example: 960_000 }),
  profile_hash: z.string().meta({ description: "Changes with the reply.", example: "91c05be7a3f2d846" }),
  service: ServiceName,
  type: ProfileType,
  from: Instant.meta({ description: "Start of the range, a whole minute, included." }),
  to: Instant.meta({ description: "End of the range, a whole minute, not included." }),
  profiles_merged: Count.meta({ example: 96 }),
  aggregation: Aggregation,
  sample_types: z.array(z.string()).meta({
    description: "The sample types of the range as `type/unit`.",
    example: ["samples/count", "cpu/nanoseconds"],
  }),
  tags: z.record(z.string(), z.string()).meta({
    description: "Only profiles with all of these tags were merged.",
    example: { region: "eu" },
  }),
  labels: LabelsOfReply,
  group_by_label: z.string().nullable().meta({
    description: "The label whose values are the frames below the root.",
    example: null,
  }),
}).meta({ id: "MergedFlameGraph" });
export type MergedFlameGraph = z.output<typeof MergedFlameGraph>;

const inProfiles = endpointIn("Profiles");
const inOperation = endpointIn("Operation");

export const mergedEndpoints = [
  inProfiles(calls.mergedFlameGraph, {
    summary: "One flame graph of all profiles of a service and type in a range",
    description: `${flameGraphForms} The range is widened to whole minutes. Cumulative values count with what each profile adds. A service without profiles has an empty graph.`,
    params: z.object({
      service: ServiceName,
      type: GraphType.meta({
        description: `Kind of profile; ${separateTypesText}`,
        example: "cpu",
      }),
    }),
    query: z
      .looseObject({
        ...TaggedRangeFields,
        sample_type: z.string().max(limits.sampleTypeLengthMax).optional().meta({
          description: "One of the sample types of the range; by default the main one.",
          example: "inuse_space",
        }),
        labels: LabelFilter,
        group_by_label: GroupByLabel,
        ...FlameGraphPart,
      })
      .meta({ description: "`tag.NAME=VALUE` keeps profiles with that tag, for example `tag.region=eu`." }),
    reply: MergedFlameGraph,
    noReply: flameGraphUnchanged,
    downloads: flameGraphDownloads,
    failures: ["unprocessable"],
  }),
  inOperation(calls.demoFlameGraph, {
    summary: "CPU of a service of the demo, for the landing page",
    description: `One flame graph of the last 24 hours, the same for everybody, drawn again every five minutes. ${flameGraphForms} 404 on a server without the demo.`,
    reply: MergedFlameGraph,
    downloads: [{ contentType: flameGraphContentType, description: "Columns of the call tree." }],
    failures: ["not_found"],
  }),
] as const;

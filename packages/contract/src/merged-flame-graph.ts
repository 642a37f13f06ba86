import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import {
  FlameGraph,
  FlameGraphPart,
  flameGraphDownloads,
  flameGraphForms,
  flameGraphUnchanged,
  GroupByLabel,
} from "./flame-graph.ts";
import { LabelFilter, LabelsOfReply } from "./label-filter.ts";
import { limits } from "./limits.ts";
import { ProfileType, profileTypes } from "./profile-types.ts";
import { Count, ServiceName } from "./profiles.ts";
import { TagFilter } from "./tag-filter.ts";
import { Instant } from "./time.ts";
import { rangeFields } from "./time-range.ts";

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

export const mergedFlameGraph = endpoint({
  method: "GET",
  path: "/api/v1/protected/flamegraph/service/{service}/{type}",
  area: "Profiles",
  summary: "One flame graph of all profiles of a service and type in a range",
  description: `${flameGraphForms} The range is widened to whole minutes. Cumulative values count with what each profile adds. A service without profiles has an empty graph.`,
  auth: "session",
  params: z.object({
    service: ServiceName,
    type: z.enum([...profileTypes, "wall"]).meta({
      description: "Kind of profile; `wall` is `custom` with the sample type `wall`.",
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
});

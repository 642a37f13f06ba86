import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, rangeFields } from "#base/moments.ts";
import { GraphType, ProfileType, separateTypesText } from "#base/profile-type-schemas.ts";
import {
  Count,
  LabelFilter,
  LabelName,
  LabelsOfReply,
  ProfileId,
  ProfileParams,
  Quantity,
  SampleCount,
  ServiceName,
  sampleTypeField,
  TagFilter,
  wholeNumber,
} from "#base/values.ts";
import * as calls from "./calls.ts";
import { flameGraphContentType, flameGraphLevelsContentType } from "./calls.ts";

const jsonEnds = `at depth ${limits.flameGraphJsonDepthMax} and at about ${limits.flameGraphJsonBytesMax / 2 ** 20} MB`;

/** The forms of a reply with a flame graph. */
export const flameGraphForms = `JSON, or columns when \`Accept\` asks for ${flameGraphContentType}: the form for large graphs. \`Accept: ${flameGraphLevelsContentType}\` asks for rows of numbers, a quarter of the text or less: \`levels\` has for each frame its distance from the one before, total, self and index into \`names\`; \`elided\` has for each frame with callees left out its row, its place in it, their number, their total and the name of the widest. Nested JSON stops ${jsonEnds}, and counts what it leaves out; the other forms have every level.`;

/** The other forms of a flame graph. */
export const flameGraphDownloads = [
  { contentType: flameGraphContentType, description: "The same frames as binary columns." },
  { contentType: flameGraphLevelsContentType, description: "Rows of numbers as JSON." },
];

export const FrameGrouping = z.enum(["function", "line", "instantiation"]).meta({
  description:
    "`line` has a frame for each line of a function, named `pkg.Func:12`; `instantiation` one for each copy of a generic Go function, named as the compiler names it: `slices.Max[go.shape.int]`.",
  example: "function",
});
export type FrameGrouping = z.output<typeof FrameGrouping>;

/** As `FrameGrouping`, of functions in a list. */
export const FunctionGrouping = FrameGrouping.exclude(["line"]).meta({
  description:
    "`instantiation` has a function for each copy of a generic one, named as the compiler names it: `slices.Max[go.shape.int]`.",
  example: "function",
});
export type FunctionGrouping = z.output<typeof FunctionGrouping>;

const storedFrames =
  "Only with columns: each function has a row for each of its stored frames, with its whole name, its name in the profile, and one line. For files of the graph in the format of pprof.";

/** Fields that choose the frames of a flame graph. */
export const FlameGraphPart = {
  group_by: FrameGrouping.default("function"),
  stored_frames: z.stringbool().default(false).meta({ description: storedFrames, example: "true" }),
  root: z
    .string()
    .max(limits.flameGraphRootLengthMax)
    // A `node_id`, or the shorter reference of the web app: see nodeNamed in packages/flame.
    .regex(/^(?:root(?:_[0-9]+)*|[0-9a-z.~]*)$/u)
    .optional()
    .meta({
      description:
        "Only this frame and what is below it, with `max_nodes` for them alone: unfolds callees that were left out. The `node_id` of the frame in the whole graph; ids in the reply begin at `root` again, shares are those of the whole.",
      example: "root_0_2",
    }),
  search_index: z.stringbool().default(false).meta({
    description: "Adds `search_index` to JSON. It has every node again, so the reply is twice as large.",
    example: "true",
  }),
  max_nodes: wholeNumber(limits.flameGraphNodesMax, limits.flameGraphNodes).meta({
    description: `The widest frames; the others are counted at their callers. JSON has at most ${limits.flameGraphJsonNodesMax}. Columns with fewer frames than the graph have the sums of each function over all frames.`,
    example: "16384",
  }),
};

export const GroupByLabel = LabelName.optional().meta({
  description: `A label of samples: the frames below the root are its ${limits.labelGroupsMax} values with the largest totals, and one for samples without it.`,
  example: "handler",
});

/** Graphs carry an `ETag`. */
export const flameGraphUnchanged = { 304: "The graph matches `If-None-Match`" };

export interface FlameGraphNode {
  function_name: string;
  package_name: string;
  file_name: string;
  line_number: number;
  start_line: number;
  self_value: number;
  total_value: number;
  self_percent: number;
  total_percent: number;
  sample_count: number;
  /** Left edge and width in percent of the row. */
  x: number;
  width: number;
  depth: number;
  /** `root`; for a child, the id of its parent followed by `_{number}`. */
  node_id: string;
  color: string;
  /** Only if callees of this frame were left out: their number and their total. */
  elided_count?: number | undefined;
  elided_value?: number | undefined;
  children: FlameGraphNode[];
}

export const FlameGraphNode: z.ZodType<FlameGraphNode> = z
  .object({
    function_name: z.string().meta({ example: "encoding/json.Marshal" }),
    package_name: z.string().meta({ example: "encoding/json" }),
    file_name: z.string().meta({ example: "encode.go" }),
    line_number: Count.meta({ example: 161 }),
    start_line: Count.meta({ description: "Where the function starts; 0 if it is not known.", example: 159 }),
    self_value: Quantity.meta({ example: 2_122_050_000 }),
    total_value: Quantity.meta({ example: 3_948_000_000 }),
    self_percent: z.number().meta({ example: 21.5 }),
    total_percent: z.number().meta({ example: 40 }),
    sample_count: SampleCount.meta({ ...SampleCount.meta(), example: 394 }),
    x: z.number().meta({ description: "Left edge in percent of the row.", example: 12.5 }),
    width: z.number().meta({ description: "Percent of the row.", example: 40 }),
    depth: Count.meta({ example: 2 }),
    node_id: z.string().meta({ example: "root_0_2" }),
    color: z.string().meta({ example: "#e4572e" }),
    elided_count: Count.optional().meta({
      description: `Only if callees of this frame were left out: the number of nodes. \`max_nodes\` leaves out the narrowest; JSON also stops ${jsonEnds}.`,
      example: 4,
    }),
    elided_value: Quantity.optional().meta({
      description: "Their total: included in the total of this frame, but in the self value of no frame.",
      example: 118_000_000,
    }),
    get children(): z.ZodType<FlameGraphNode[]> {
      return z.array(FlameGraphNode).meta({ example: [] });
    },
  })
  .meta({ id: "FlameGraphNode" });

export const FlameGraph = z
  .object({
    profile_id: z.string().meta(ProfileId.meta() ?? {}),
    total_samples: Quantity.meta({
      description: "Total of the sample type: the same as in the profile's `sample_types`.",
      example: 9_870_000_000,
    }),
    duration_ms: z.number().meta({ example: 10_000 }),
    profile_hash: z.string().meta({ example: "91c05be7a3f2d846" }),
    sample_type: z.object({ type: z.string(), unit: z.string() }).meta({
      example: { type: "cpu", unit: "nanoseconds" },
    }),
    root: FlameGraphNode,
    search_index: z.record(z.string(), z.array(FlameGraphNode)).optional().meta({
      description:
        "With `search_index`: the nodes of each function by its name, with its file where two functions have the same name; `children` left out. A node's caller has its `node_id` without the last number.",
      example: {},
    }),
    elided_nodes: Count.meta({
      description: "Number of nodes left out, for all frames together: see `elided_count`.",
      example: 0,
    }),
  })
  .meta({ id: "FlameGraph" });
export type FlameGraph = z.output<typeof FlameGraph>;

const endpoint = endpointIn("Profiles");

export const flameGraphEndpoints = [
  endpoint(calls.flameGraph, {
    summary: "The flame graph of one profile",
    description: flameGraphForms,
    params: ProfileParams,
    query: z.object({
      sample_type: sampleTypeField("One of the profile's sample types; by default its main one."),
      labels: LabelFilter,
      group_by_label: GroupByLabel,
      ...FlameGraphPart,
    }),
    reply: FlameGraph,
    noReply: flameGraphUnchanged,
    downloads: flameGraphDownloads,
    failures: ["not_found", "unprocessable"],
  }),
] as const;

export const aggregations = ["sum", "mean"] as const;

/** How the values of many profiles are combined. */
export const Aggregation = z.enum(aggregations).meta({
  description:
    "`mean` over the profiles for gauges (memory in use, goroutines, custom counts), otherwise `sum`.",
  example: "sum",
});
export type Aggregation = z.output<typeof Aggregation>;

/** Query parameters of calls over a range of tagged profiles; names that begin with `tag.` are allowed. */
export const TaggedRangeFields = { ...rangeFields("24h"), tags: TagFilter };

export const MergedFlameGraph = FlameGraph.extend({
  profile_id: z.string().meta({
    description: "`SERVICE/TYPE`, because the graph merges many profiles.",
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
    description: "Label whose values are the frames below the root.",
    example: null,
  }),
}).meta({ id: "MergedFlameGraph" });
export type MergedFlameGraph = z.output<typeof MergedFlameGraph>;

const inOperation = endpointIn("Operation");

export const mergedEndpoints = [
  endpoint(calls.mergedFlameGraph, {
    summary: "One flame graph of all profiles of a service and type in a range",
    description: `${flameGraphForms} The range is widened to whole minutes. Cumulative values count as the increase of each profile. A service without profiles has an empty graph.`,
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
        sample_type: sampleTypeField("One of the sample types of the range; by default the main one."),
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

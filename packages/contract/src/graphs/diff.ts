import { z } from "zod";
import { endpointIn } from "#base/endpoint.ts";
import { limits } from "#base/limits.ts";
import { Instant, moment } from "#base/moments.ts";
import { GraphType, ProfileType, separateTypesText } from "#base/profile-type-schemas.ts";
import {
  Count,
  LabelFilter,
  LabelsOfReply,
  ProfileId,
  Quantity,
  ServiceName,
  sampleTypeField,
  TagFilter,
} from "#base/values.ts";
import * as calls from "./calls.ts";
import { comparisonUnits, flameGraphDiffContentType } from "./calls.ts";
import { Aggregation, FlameGraphPart, flameGraphUnchanged } from "./flame-graph.ts";

/** The unit that both sides of a comparison are divided by. */
export const ComparisonUnit = z.enum(comparisonUnits).meta({
  description:
    "`request`: HTTP requests answered while profiling. `second`: seconds of profiling over all instances, so values are per instance. `profile`: the number of profiles; gauges are means already.",
  example: "second",
});
export type ComparisonUnit = z.output<typeof ComparisonUnit>;

const ComparisonSide = z
  .object({
    profile_id: z.string().nullable().meta({ description: "Null for a range.", example: null }),
    service: ServiceName,
    from: Instant.meta({ description: "Start of the range or of the profile, included." }),
    to: Instant.meta({ description: "End of the range or of the profile, not included." }),
    tags: z.record(z.string(), z.string()).meta({
      description: "Only profiles with all of these tags count.",
      example: { version: "1.4.2" },
    }),
    labels: LabelsOfReply,
    profiles_merged: Count.meta({ example: 96 }),
    duration_ms: z.number().meta({ description: "Of all the profiles together.", example: 960_000 }),
    total: Quantity.meta({ description: "As measured, not divided.", example: 9_870_000_000 }),
  })
  .meta({ id: "ComparisonSide" });
export type ComparisonSide = z.output<typeof ComparisonSide>;

const Divisor = z.number().positive();

const Normalisation = z
  .object({
    per: ComparisonUnit,
    before_divisor: Divisor.meta({ example: 960 }),
    after_divisor: Divisor.meta({ example: 940 }),
  })
  .meta({ id: "ComparisonNormalisation" });

const DiffFunction = z
  .object({
    function_name: z.string().meta({ example: "encoding/json.Marshal" }),
    package_name: z.string().meta({ example: "encoding/json" }),
    file_name: z.string().meta({ example: "encode.go" }),
    line_number: Count.meta({ example: 161 }),
    self_before: Quantity.meta({ description: "As measured, not divided.", example: 1_200_000_000 }),
    self_after: Quantity.meta({ example: 2_100_000_000 }),
    self_change: z
      .number()
      .meta({ description: "After minus before, each divided by its divisor.", example: 984_042.55 }),
    total_before: Quantity.meta({
      description: "With its callees; a recursive function counts once.",
      example: 1_900_000_000,
    }),
    total_after: Quantity.meta({ example: 3_900_000_000 }),
    total_change: z.number().meta({ example: 2_169_769.5 }),
    change: z.enum(["new", "gone", "more", "less", "same"]).meta({
      description: "Of the total; `new` and `gone` functions are on one side only.",
      example: "more",
    }),
  })
  .meta({ id: "DiffFunction" });

const Indexes = z.array(z.int());

const Quantities = z.array(Quantity);

/** Nodes as columns in breadth-first order. */
const ComparedNodes = z
  .object({
    names: z.array(z.string()).meta({ example: ["root", "main.main", "main.serve"] }),
    name: Indexes.meta({ description: "Function of each node, an index into `names`.", example: [0, 1, 2] }),
    parent: Indexes.meta({ description: "Node above each node; -1 for the root.", example: [-1, 0, 1] }),
    line: Indexes.meta({
      description: "Line of the call if all samples agree, else 0.",
      example: [0, 12, 34],
    }),
    self_before: Quantities.meta({ example: [0, 10, 20] }),
    self_after: Quantities.meta({ example: [0, 10, 30] }),
    total_before: Quantities.meta({ example: [30, 30, 20] }),
    total_after: Quantities.meta({ example: [40, 40, 30] }),
  })
  .meta({ id: "ComparedNodes" });

const ComparedElision = z
  .object({
    node: Count.meta({ description: "Node under which callees were left out.", example: 2 }),
    count: Count.meta({ description: "Number of nodes left out.", example: 14 }),
    before: Quantity.meta({ description: "Their total, part of the total of the node.", example: 3 }),
    after: Quantity.meta({ example: 4 }),
  })
  .meta({ id: "ComparedElision" });

export const FlameGraphDiff = z
  .object({
    type: ProfileType,
    hash: z.string().meta({ description: "Changes with the reply.", example: "91c05be7a3f2d846" }),
    sample_type: z.object({ type: z.string(), unit: z.string() }).meta({
      example: { type: "cpu", unit: "nanoseconds" },
    }),
    sample_types: z.array(z.string()).meta({
      description: "Sample types of both sides, as `type/unit`.",
      example: ["samples/count", "cpu/nanoseconds"],
    }),
    aggregation: Aggregation,
    before: ComparisonSide,
    after: ComparisonSide,
    normalisation: Normalisation.meta({ description: "The normalization of this reply." }),
    normalisations: z.array(Normalisation).meta({ description: "Normalizations that both sides allow." }),
    no_requests: z.string().nullable().meta({
      description: "Why values per request are unavailable; null if available.",
      example: "checkout sent no HTTP metrics in the first range",
    }),
    functions: z.array(DiffFunction).meta({
      description: `The ${limits.comparedFunctionsMax} functions whose self value changed most, over all nodes.`,
    }),
    function_count: Count.meta({
      description: "Number of functions with a value on either side.",
      example: 212,
    }),
    nodes: ComparedNodes,
    elisions: z.array(ComparedElision).meta({
      description: "Nodes whose callees `max_nodes` leaves out.",
    }),
  })
  .meta({ id: "FlameGraphDiff" });
export type FlameGraphDiff = z.output<typeof FlameGraphDiff>;

const Service = ServiceName.optional();

/** The parameters of one side; `name` begins theirs. */
function sideFields<N extends "before" | "after">(name: N) {
  const side = name === "before" ? "first" : "second";
  const fields = {
    [`${name}_profile`]: z
      .string()
      .optional()
      .meta({ ...ProfileId.meta(), description: `A profile as the ${side} side, instead of a range.` }),
    [`${name}_service`]: Service.meta({
      description: `Service of the ${side} side; by default \`service\`.`,
    }),
    [`${name}_tags`]: TagFilter.meta({
      description: `\`NAME:VALUE\`, may be given several times: only profiles with these tags are in the ${side} side.`,
      example: "version:1.4.2",
    }),
    [`${name}_labels`]: LabelFilter.meta({
      description: `\`NAME:VALUE\` of a label of samples, may be given several times: only samples with these labels are in the ${side} side. \`NAME:\` is for samples without the label.`,
      example: "handler:/checkout",
    }),
  };
  return fields as {
    [K in `${N}_profile` | `${N}_service`]: z.ZodOptional<z.ZodString>;
  } & { [K in `${N}_tags`]: typeof TagFilter } & { [K in `${N}_labels`]: typeof LabelFilter };
}

const endpoint = endpointIn("Profiles");

export const diffEndpoints = [
  endpoint(calls.flameGraphDiff, {
    summary: "Two flame graphs as one, with the differences",
    description: `JSON, or columns when \`Accept\` asks for ${flameGraphDiffContentType}. Each side is the profiles of a service in a range, widened to whole minutes, or one profile. A minute shared by two adjacent ranges counts only for the later one. Without its own range, the first side is the period of the same length before the second. Values are as measured; \`normalisation\` has the divisors for comparison.`,
    query: z.object({
      service: Service.meta({ description: "Service of both sides; not needed for two profiles." }),
      type: GraphType.optional().meta({
        description: `Kind of profile of both sides; not needed with a profile. ${separateTypesText}`,
        example: "cpu",
      }),
      before_from: moment("before_from").optional(),
      before_to: moment("before_to").optional(),
      ...sideFields("before"),
      after_from: moment("after_from").default("1h"),
      after_to: moment("after_to").default("now"),
      ...sideFields("after"),
      sample_type: sampleTypeField("One of the sample types of both sides; by default the main one."),
      per: ComparisonUnit.optional().meta({
        description:
          "The normalization to use; by default the first of `request`, `second` and `profile` that both sides allow.",
      }),
      group_by: FlameGraphPart.group_by,
      stored_frames: FlameGraphPart.stored_frames,
      root: FlameGraphPart.root.meta({
        description:
          "Only this frame and what is below it, with `max_nodes` for them alone: unfolds callees that were left out. Its position in the whole comparison for the same `per`: `root`, followed by `_` and the place among the siblings for each level.",
        example: "root_0_2",
      }),
      max_nodes: FlameGraphPart.max_nodes,
    }),
    reply: FlameGraphDiff,
    noReply: flameGraphUnchanged,
    downloads: [
      { contentType: flameGraphDiffContentType, description: "The same frames as binary columns." },
    ],
    failures: ["not_found", "unprocessable"],
  }),
] as const;

import { flameGraph, getProfile, limits, mergedFlameGraph } from "@flamekeep/contract";
import { moment } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { invalid } from "#failure";
import { isoRange, rangeOf, separateMinutes } from "#http/query/time-range.ts";
import { overviewText } from "./overview.ts";
import { fields, labelQuery, mcpTasks, type Read, tagQuery, tool } from "./tool.ts";

/** Fields of tools over the flame graph of a range, or of one profile. */
export const graphFields = {
  service: fields.service.optional(),
  type: fields.type.optional(),
  profile_id: z
    .string()
    .max(64)
    .optional()
    .describe("Id of one profile, from list_profiles, instead of service, type and range."),
  from: fields.from,
  to: fields.to,
  tags: fields.tags,
  labels: fields.labels,
  sample_type: fields.sampleType,
};

const GraphInput = z.object(graphFields);
export type GraphInput = z.output<typeof GraphInput>;

type RangeInput = Readonly<
  Pick<GraphInput, "from" | "to" | "tags" | "labels"> & {
    service: string;
    type: string;
    sample_type?: string | undefined;
  }
>;

/**
 * The part of a graph to read. The widest frames come with the sums of each function over all frames, at a tenth of the time that all
 * frames take; what one function calls needs all of them. By line, each line of a function is a function.
 */
export interface Part {
  readonly frames?: "widest" | "all";
  readonly by?: "function" | "line";
}

const nodesOf = { widest: limits.flameGraphNodes, all: limits.flameGraphNodesMax };

function partQuery(
  { frames = "widest", by = "function" }: Part,
  { sample_type, labels }: Pick<GraphInput, "sample_type" | "labels">,
) {
  return {
    max_nodes: nodesOf[frames],
    group_by: by,
    labels: labelQuery(labels),
    ...(sample_type && { sample_type }),
  };
}

/** The columns of the graph of a range. */
function readRange(read: Read, input: RangeInput, part: Part = {}): Promise<Uint8Array> {
  const { service, type, tags, from, to } = input;
  const query = { from, to, ...partQuery(part, input), ...tagQuery(tags) };
  return read.columns(mergedFlameGraph, { params: { service, type }, query });
}

/** The columns of parts of the graph, or a sentence that says which parameter is missing. */
export async function readGraph(
  read: Read,
  input: GraphInput,
  parts: readonly Part[] = [{}],
): Promise<readonly Uint8Array[] | string> {
  const { service, type, profile_id: id } = input;
  if (id === undefined && (service === undefined || type === undefined)) {
    return "Give service and type, or profile_id.";
  }
  return Promise.all(
    parts.map((part) =>
      id === undefined
        ? readRange(read, { ...input, service: service!, type: type! }, part)
        : read.columns(flameGraph, { params: { id }, query: partQuery(part, input) }),
    ),
  );
}

/** The stored type of what `readGraph` reads: the flame graph of one profile does not name it. */
export async function readType(read: Read, { profile_id: id, type }: GraphInput): Promise<string> {
  return id === undefined ? (type ?? "") : (await read(getProfile, { params: { id } })).type;
}

export const topFunctions = tool({
  name: "top_functions",
  title: "Top functions",
  description:
    "What costs most in a range or in one profile: functions by self value (without callees) or total (with them), with file and hottest lines. Self values of goroutine, mutex and block profiles count for the function that waits.",
  input: z.object({
    ...graphFields,
    order: z.enum(["self", "total"]).default("self").describe("What to sort by."),
    limit: z.int().min(1).max(100).default(20).describe("Most functions to list."),
  }),
  async run(read, input) {
    const graphs = await readGraph(read, input, [{}, { by: "line" }]);
    if (typeof graphs === "string") return graphs;
    const [columns, lines] = graphs as [Uint8Array, Uint8Array];
    const { order, limit } = input;
    return read.decoders.run(mcpTasks, "topFunctions", {
      columns,
      lines,
      profileType: await readType(read, input),
      order,
      limit,
    });
  },
});

export const flameGraphText = tool({
  name: "flame_graph",
  title: "Flame graph as text",
  description:
    "The call tree of a range or of one profile as indented text, callers above callees, with the share of each frame. `focus` shows the callees of one function, summed over all call sites.",
  input: z.object({
    ...graphFields,
    focus: z.string().max(500).optional().describe("Full name of a function, or a part of it."),
    limit: z.int().min(1).max(400).default(40).describe("Most lines to print."),
    min_percent: z.number().min(0).max(100).default(0.5).describe("Leaves out frames with a smaller share."),
  }),
  async run(read, input) {
    const { focus, limit, min_percent: minPercent } = input;
    const graphs = await readGraph(read, input, [{ frames: focus === undefined ? "widest" : "all" }]);
    if (typeof graphs === "string") return graphs;
    const [columns] = graphs as [Uint8Array];
    return read.decoders.run(mcpTasks, "callTree", { columns, focus, limit, minPercent });
  },
});

export const compareRanges = tool({
  name: "compare_ranges",
  title: "Compare two ranges",
  description:
    "Use it first when a service got slower or larger, or after a release: what changed between two ranges, or between two versions (tags). Without type, an overview of all kinds of profiles. With it, the functions of the application whose own code changed most come first, with file, line and whether they are new, gone or moved.",
  input: z.object({
    service: fields.service,
    type: fields.type
      .optional()
      .describe("Kind of profile. Without it, which kinds changed, and by how much."),
    before_from: fields.from.default("2h"),
    before_to: fields.to.default("1h"),
    after_from: fields.from.default("1h"),
    after_to: fields.to,
    before_tags: fields.tags,
    after_tags: fields.tags,
    labels: fields.labels,
    sample_type: fields.sampleType,
    limit: z.int().min(1).max(50).default(10).describe("Most functions of each list."),
  }),
  async run(read, input) {
    const now = read.now();
    const [beforeRange, afterRange] = separateMinutes(
      rangeOf({ from: usable("before_from", input), to: usable("before_to", input) }, now),
      rangeOf({ from: usable("after_from", input), to: usable("after_to", input) }, now),
    );
    const earlier = { ...input, ...isoRange(beforeRange), tags: input.before_tags };
    const later = { ...input, ...isoRange(afterRange), tags: input.after_tags };
    const { service, type, limit } = input;
    if (type === undefined && input.sample_type !== undefined) return "Give type with sample_type.";
    if (type === undefined) return overviewText(read, service, { before: earlier, after: later });
    const sides = [earlier, later].map((side) => ({ ...side, type }));
    const parts: readonly Part[] = [{}, { by: "line" }];
    const [before, after, linesBefore, linesAfter] = (await Promise.all(
      parts.flatMap((part) => sides.map((side) => readRange(read, side, part))),
    )) as [Uint8Array, Uint8Array, Uint8Array, Uint8Array];
    return read.decoders.run(mcpTasks, "changes", { before, after, linesBefore, linesAfter, limit });
  },
});

function usable<N extends string>(name: N, input: Readonly<Record<N, string>>): string {
  const { data, error } = moment(name).safeParse(input[name]);
  if (data === undefined) throw invalid(error?.issues[0]?.message ?? `${name} is not a time`);
  return data;
}

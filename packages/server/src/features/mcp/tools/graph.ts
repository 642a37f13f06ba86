import { flameGraph, getProfile, limits, mergedFlameGraph } from "@flamekeep/contract";
import { moment } from "@flamekeep/contract/schemas";
import { z } from "zod";
import { invalid } from "#failure";
import { isoRange, rangeOf, separateMinutes } from "#http/query/time-range.ts";
import { fields, mcpTasks, type Read, tagQuery, tool } from "./tool.ts";

/** Fields of tools over the flame graph of a range, or of one profile. */
const graphFields = {
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
  sample_type: fields.sampleType,
};

const GraphInput = z.object(graphFields);

type RangeInput = Readonly<{
  service: string;
  type: string;
  from: string;
  to: string;
  tags: Readonly<Record<string, string>>;
  sample_type?: string | undefined;
}>;

/**
 * How much of a graph to read. The widest frames come with the sums of each function over all frames, at a tenth of the time that all
 * frames take; what one function calls needs all of them.
 */
const nodesOf = { widest: limits.flameGraphNodes, all: limits.flameGraphNodesMax };

/** The columns of the graph of a range. */
function readRange(
  read: Read,
  { service, type, tags, from, to, sample_type }: RangeInput,
  frames: keyof typeof nodesOf = "widest",
): Promise<Uint8Array> {
  const query = {
    from,
    to,
    ...(sample_type && { sample_type }),
    max_nodes: nodesOf[frames],
    ...tagQuery(tags),
  };
  return read.columns(mergedFlameGraph, { params: { service, type }, query });
}

/** The columns of the graph, or a sentence that says which parameter is missing. */
async function readGraph(
  read: Read,
  input: z.output<typeof GraphInput>,
  frames: keyof typeof nodesOf = "widest",
): Promise<Uint8Array | string> {
  const { service, type, profile_id: id, sample_type } = input;
  if (id !== undefined) {
    const query = { max_nodes: nodesOf[frames], ...(sample_type && { sample_type }) };
    return read.columns(flameGraph, { params: { id }, query });
  }
  if (service === undefined || type === undefined) return "Give service and type, or profile_id.";
  return readRange(read, { ...input, service, type }, frames);
}

/** The stored type of what `readGraph` reads: the flame graph of one profile does not name it. */
async function readType(read: Read, { profile_id: id, type }: z.output<typeof GraphInput>): Promise<string> {
  return id === undefined ? (type ?? "") : (await read(getProfile, { params: { id } })).type;
}

export const topFunctions = tool({
  name: "top_functions",
  title: "Top functions",
  description:
    "The functions that cost most in a range or in one profile: self value (without callees) and total (with callees), with file and line. Self values of goroutine, mutex and block profiles count for the function that waits.",
  input: z.object({
    ...graphFields,
    order: z.enum(["self", "total"]).default("self").describe("What to sort by."),
    limit: z.int().min(1).max(100).default(30).describe("Most functions to list."),
  }),
  async run(read, input) {
    const columns = await readGraph(read, input);
    if (typeof columns === "string") return columns;
    const { order, limit } = input;
    return read.decoders.run(mcpTasks, "topFunctions", {
      columns,
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
    limit: z.int().min(1).max(400).default(120).describe("Most lines to print."),
    min_percent: z.number().min(0).max(100).default(0.5).describe("Leaves out frames with a smaller share."),
  }),
  async run(read, input) {
    const { focus, limit, min_percent: minPercent } = input;
    const columns = await readGraph(read, input, focus === undefined ? "widest" : "all");
    if (typeof columns === "string") return columns;
    return read.decoders.run(mcpTasks, "callTree", { columns, focus, limit, minPercent });
  },
});

export const compareRanges = tool({
  name: "compare_ranges",
  title: "Compare two ranges",
  description:
    "What changed between two ranges of a service, or between two versions (tags): the functions that grew and shrank most. Values are per second of profiling, or per profile where profiles have no duration; memory and goroutines are means of the profiles. Self values of goroutine, mutex and block profiles count for the function that waits.",
  input: z.object({
    service: fields.service,
    type: fields.type,
    before_from: fields.from.default("2h"),
    before_to: fields.to.default("1h"),
    after_from: fields.from.default("1h"),
    after_to: fields.to,
    before_tags: fields.tags,
    after_tags: fields.tags,
    sample_type: fields.sampleType,
    limit: z.int().min(1).max(50).default(15).describe("Most functions of each list."),
  }),
  async run(read, input) {
    const { service, type, sample_type } = input;
    const both = { service, type, sample_type };
    const now = read.now();
    const [beforeRange, afterRange] = separateMinutes(
      rangeOf({ from: usable("before_from", input), to: usable("before_to", input) }, now),
      rangeOf({ from: usable("after_from", input), to: usable("after_to", input) }, now),
    );
    const [before, after] = await Promise.all([
      readRange(read, { ...both, ...isoRange(beforeRange), tags: input.before_tags }),
      readRange(read, { ...both, ...isoRange(afterRange), tags: input.after_tags }),
    ]);
    return read.decoders.run(mcpTasks, "changes", { before, after, limit: input.limit });
  },
});

function usable<N extends string>(name: N, input: Readonly<Record<N, string>>): string {
  const { data, error } = moment(name).safeParse(input[name]);
  if (data === undefined) throw invalid(error?.issues[0]?.message ?? `${name} is not a time`);
  return data;
}

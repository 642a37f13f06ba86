import {
  type FlameGraph,
  type FlameGraphNode,
  flameGraph,
  getProfile,
  limits,
  type MergedFlameGraph,
  mergedFlameGraph,
} from "@flamekeep/contract";
import { z } from "zod";
import { fields, type Read, tagQuery } from "./tool.ts";

/** Far more nodes than an answer prints, so that sums by function miss almost nothing. */
const nodesMax = 20_000;

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
  sample_type: fields.sampleType,
};

const GraphInput = z.object(graphFields);

export type RangeInput = Readonly<{
  service: string;
  type: string;
  from: string;
  to: string;
  tags: Readonly<Record<string, string>>;
  sample_type?: string | undefined;
}>;

export function readMerged(
  read: Read,
  { service, type, tags, ...range }: RangeInput,
): Promise<MergedFlameGraph> {
  const { from, to, sample_type } = range;
  const query = { from, to, ...(sample_type && { sample_type }), max_nodes: nodesMax, ...tagQuery(tags) };
  return withDeepFrames((root) =>
    read(mergedFlameGraph, { params: { service, type }, query: { ...query, ...root } }),
  );
}

/** Most parts that an answer reads: the widest of the frames at which the graph ends. */
const partsMax = 8;

/** The graph with the frames below those at which JSON ends, because ids are paths. */
async function withDeepFrames<G extends FlameGraph>(
  readGraphAt: (root: { readonly root?: string }) => Promise<G>,
): Promise<G> {
  const graph = await readGraphAt({});
  let ends = endsOf(graph.root);
  for (let parts = 0; parts < partsMax && ends.length > 0; parts++) {
    const [end] = ends.sort((a, b) => b.total_value - a.total_value);
    const part = await readGraphAt({ root: end!.node_id });
    // Ids of a part begin at its root.
    for (const node of nodesIn(part.root))
      node.node_id = `${end!.node_id}${node.node_id.slice("root".length)}`;
    end!.children = part.root.children;
    ends = [...ends.slice(1), ...endsOf(part.root)];
  }
  return graph;
}

function endsOf(root: FlameGraphNode): FlameGraphNode[] {
  const deepest = limits.flameGraphJsonDepthMax - 1;
  return nodesIn(root).filter(
    ({ depth, elided_count: left = 0, children }) => depth === deepest && left > 0 && children.length === 0,
  );
}

function nodesIn(root: FlameGraphNode): FlameGraphNode[] {
  const found = [root];
  // The iteration also visits what is added meanwhile.
  for (const node of found) found.push(...node.children);
  return found;
}

/** The graph, or a sentence that says which parameter or data is missing. */
export async function readGraph(
  read: Read,
  input: z.output<typeof GraphInput>,
): Promise<{ readonly graph: FlameGraph; readonly about: string } | string> {
  const { service, type, profile_id: id, sample_type } = input;
  if (id !== undefined) {
    const query = { max_nodes: nodesMax, ...(sample_type && { sample_type }) };
    const graph = await withDeepFrames((root) =>
      read(flameGraph, { params: { id }, query: { ...query, ...root } }),
    );
    return { graph, about: `profile ${id}` };
  }
  if (service === undefined || type === undefined) return "Give service and type, or profile_id.";
  const graph = await readMerged(read, { ...input, service, type });
  if (graph.profiles_merged === 0) return "No profile of this service and type in this range.";
  return { graph, about: `${graph.profiles_merged} profiles merged, ${graph.from} to ${graph.to}` };
}

/** The stored type of what `readGraph` reads: the flame graph of one profile does not name it. */
export async function readType(
  read: Read,
  { profile_id: id, type }: z.output<typeof GraphInput>,
): Promise<string> {
  return id === undefined ? (type ?? "") : (await read(getProfile, { params: { id } })).type;
}

export function unitOf({ sample_type: { type, unit } }: FlameGraph): string {
  return unit === "count" || unit === "" ? type : unit;
}

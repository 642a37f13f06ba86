import { flameGraph, getProfile, limits, mergedFlameGraph } from "@flamekeep/contract";
import { z } from "zod";
import { fields, type Read, tagQuery } from "./tool.ts";

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
export function readRange(
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
export async function readGraph(
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
export async function readType(
  read: Read,
  { profile_id: id, type }: z.output<typeof GraphInput>,
): Promise<string> {
  return id === undefined ? (type ?? "") : (await read(getProfile, { params: { id } })).type;
}

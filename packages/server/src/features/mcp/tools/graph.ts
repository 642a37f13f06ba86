import { flameGraph, getProfile, limits, mergedFlameGraph } from "@flamekeep/contract";
import { type CallTree, decodeFlameGraph, type FlameMeta, type MergeMeta } from "@flamekeep/flame";
import { z } from "zod";
import { fields, type Read, tagQuery } from "./tool.ts";

/** Sums by function need every frame; columns have up to two million. */
const allFrames = { max_nodes: limits.flameGraphNodesMax };

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

export interface MergedGraph {
  readonly tree: CallTree;
  readonly meta: FlameMeta & { readonly merge: MergeMeta };
}

export async function readMerged(
  read: Read,
  { service, type, tags, ...range }: RangeInput,
): Promise<MergedGraph> {
  const { from, to, sample_type } = range;
  const query = { from, to, ...(sample_type && { sample_type }), ...allFrames, ...tagQuery(tags) };
  const { tree, meta } = decodeFlameGraph(
    await read.columns(mergedFlameGraph, { params: { service, type }, query }),
  );
  const { merge } = meta;
  if (merge === undefined) throw new Error("The graph of a range does not say what it was merged from");
  return { tree, meta: { ...meta, merge } };
}

/** The graph, or a sentence that says which parameter or data is missing. */
export async function readGraph(
  read: Read,
  input: z.output<typeof GraphInput>,
): Promise<{ readonly tree: CallTree; readonly about: string } | string> {
  const { service, type, profile_id: id, sample_type } = input;
  if (id !== undefined) {
    const query = { ...allFrames, ...(sample_type && { sample_type }) };
    const { tree } = decodeFlameGraph(await read.columns(flameGraph, { params: { id }, query }));
    return { tree, about: `profile ${id}` };
  }
  if (service === undefined || type === undefined) return "Give service and type, or profile_id.";
  const { tree, meta } = await readMerged(read, { ...input, service, type });
  const { profilesMerged, from, to } = meta.merge;
  if (profilesMerged === 0) return "No profile of this service and type in this range.";
  return { tree, about: `${profilesMerged} profiles merged, ${from} to ${to}` };
}

/** The stored type of what `readGraph` reads: the flame graph of one profile does not name it. */
export async function readType(
  read: Read,
  { profile_id: id, type }: z.output<typeof GraphInput>,
): Promise<string> {
  return id === undefined ? (type ?? "") : (await read(getProfile, { params: { id } })).type;
}

export function unitOf({ valueType: { type, unit } }: CallTree): string {
  return unit === "count" || unit === "" ? type : unit;
}

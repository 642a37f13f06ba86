import {
  flameGraph,
  flameGraphContentType,
  flameGraphDiff,
  flameGraphDiffContentType,
  limits,
  mergedFlameGraph,
  type readSharedGraph,
  type SharedSide,
} from "@flamekeep/contract";
import { endpointOf } from "@flamekeep/contract/schemas";
import { linkNotFound, type OpenedLink, readLink, recordOpening } from "#auth/shared-links.ts";
import { Failure, unprocessable } from "#failure";
import { getFlameGraphDiff } from "#flame-graph/comparison/diff.ts";
import { compressedFile } from "#flame-graph/reply/compressed-file.ts";
import type { FlameGraphReply } from "#flame-graph/reply/form.ts";
import type { GraphContext } from "#flame-graph/reply/graph-cache.ts";
import { unknownFrameText } from "#flame-graph/reply/unknown-frame.ts";
import type { Operation } from "#http/endpoint/serve.ts";
import { getMergedFlameGraph } from "./merged-graph.ts";
import { getFlameGraph } from "./profile-graph.ts";

/** The graph of a public link. Every parameter but the frame is the stored one. */
export const getSharedGraph: Operation<typeof readSharedGraph, GraphContext> = async (
  ctx,
  _actor,
  { token, root, stored_frames },
  caller,
) => {
  const link = await readLink(ctx, token);
  // Here too, because a program may read the graph without the view.
  await recordOpening(ctx, link);
  const contentType = link.graph.kind === "comparison" ? flameGraphDiffContentType : flameGraphContentType;
  const headers = { accept: contentType };
  const part = { root, max_nodes: limits.flameGraphNodesMax, stored_frames: String(stored_frames) };
  const { bytes = new Uint8Array(0) } = await draw(ctx, link, { part, headers }).catch((error: unknown) => {
    throw forVisitor(error, root);
  });
  return compressedFile(contentType, bytes, caller.headers);
};

/** A removed profile ends the link. Messages for members name tags, sample types and profiles that are not part of the graph. */
function forVisitor(error: unknown, root: string | undefined): unknown {
  if (!(error instanceof Failure)) return error;
  if (error.code === "not_found") return linkNotFound();
  if (error.code !== "invalid" && error.code !== "unprocessable") return error;
  if (root !== undefined && error.message === unknownFrameText(root)) return error;
  return unprocessable("This graph cannot be drawn. Ask for a new link.");
}

interface Drawing {
  /** Fields of the query. */
  readonly part: Readonly<Record<string, unknown>>;
  readonly headers: { readonly accept: string };
}

function draw(
  ctx: GraphContext,
  { orgId, graph }: OpenedLink,
  { part, headers }: Drawing,
): Promise<FlameGraphReply> {
  if (graph.kind === "profile") {
    const { kind: _, profile_id: id, labels, ...fields } = graph;
    const query = endpointOf(flameGraph).query.parse({ ...fields, labels: pairs(labels), ...part });
    return getFlameGraph(ctx, { orgId }, { id, ...query }, { headers });
  }
  if (graph.kind === "range") {
    const { kind: _, service, type, tags, labels, ...fields } = graph;
    const query = endpointOf(mergedFlameGraph).query.parse({
      ...fields,
      tags: pairs(tags),
      labels: pairs(labels),
      ...part,
    });
    return getMergedFlameGraph(ctx, { orgId }, { ...query, service, type }, { headers });
  }
  const { type, before, after, sample_type, group_by, per } = graph;
  const query = endpointOf(flameGraphDiff).query.parse({
    sample_type,
    group_by,
    per,
    ...part,
    ...(before.profile_id === null && after.profile_id === null && { type }),
    ...sideQuery("before", before),
    ...sideQuery("after", after),
  });
  return getFlameGraphDiff(ctx, { orgId }, query, { headers });
}

function sideQuery(name: "before" | "after", side: SharedSide): Readonly<Record<string, unknown>> {
  if (side.profile_id !== null) {
    return { [`${name}_profile`]: side.profile_id, [`${name}_labels`]: pairs(side.labels) };
  }
  return {
    [`${name}_service`]: side.service,
    [`${name}_from`]: side.from,
    [`${name}_to`]: side.to,
    [`${name}_tags`]: pairs(side.tags),
    [`${name}_labels`]: pairs(side.labels),
  };
}

/** As the calls take tags and labels. */
function pairs(filters: Readonly<Record<string, string>>): string[] {
  return Object.entries(filters).map(([name, value]) => `${name}:${value}`);
}

import type { FrameGrouping, FunctionGrouping } from "@flamekeep/contract";
import {
  downloadProfile,
  flameGraph,
  flameGraphContentType,
  getProfile,
  limits,
  listProfiles,
  type Profile,
  profileNeighbours,
  profileStatistics,
  rebuiltHeader,
} from "@flamekeep/contract";
import { type QueryFunctionContext, queryOptions } from "@tanstack/react-query";
import { call, callRaw } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { readGraphColumns } from "#api/graph-columns.ts";
import { CallFailure } from "#api/reply.ts";
import { saveFile } from "#api/save-file.ts";
import { whileOfSameSubject } from "#profile-series/series-query.ts";
import { type Labels, labelParams } from "#sample-labels/model.ts";

async function searchProfile(id: string, signal: AbortSignal): Promise<Profile | undefined> {
  const filtered = await call(listProfiles, { query: { profileId: id, limit: 1 }, signal }).catch(
    () => undefined,
  );
  const exact = filtered?.profiles.find((profile) => profile.profile_id === id);
  if (exact !== undefined) return exact;
  const { profiles } = await call(listProfiles, { query: { limit: limits.profileListLimit }, signal });
  return profiles.find((profile) => profile.profile_id === id);
}

/** Reads the profile; if that fails, searches the list filtered by id, then the latest 100 profiles. */
async function loadProfile(id: string, signal: AbortSignal): Promise<Profile> {
  try {
    return await call(getProfile, { params: { id }, signal });
  } catch (error) {
    if (signal.aborted) throw error;
    const found = await searchProfile(id, signal);
    if (found !== undefined) return found;
    throw new CallFailure("not_found", `Profile with ID ${id} not found`);
  }
}

export function profileQuery(id: string) {
  return queryOptions({
    queryKey: ["profile", id],
    queryFn: ({ signal }) => loadProfile(id, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function statisticsQuery(id: string, groupBy: FunctionGrouping) {
  const subject = ["profile", id, "statistics"] as const;
  return callQuery(
    [...subject, groupBy],
    profileStatistics,
    { params: { id }, query: groupBy === "function" ? {} : { group_by: groupBy } },
    { placeholderData: whileOfSameSubject(subject), staleTime: Number.POSITIVE_INFINITY },
  );
}

export function flameGraphQuery(of: GraphOfProfile) {
  return queryOptions({
    queryKey: ["profile", of.id, "flame-graph", of.sampleType, of.grouping, of.labels, of.byLabel],
    queryFn: (context) => readFlameGraph(of, { context }),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

interface GraphOfProfile {
  readonly id: string;
  readonly sampleType: string | undefined;
  readonly grouping: FrameGrouping;
  readonly labels: Labels;
  /** The label whose values are the roots. */
  readonly byLabel: string | undefined;
}

interface GraphReading {
  readonly context?: QueryFunctionContext;
  /** For exports. */
  readonly hasStoredFrames?: boolean;
}

/** The columns of a flame graph, with all of its frames. */
export async function readFlameGraph(
  { id, sampleType, grouping, labels, byLabel }: GraphOfProfile,
  { context, hasStoredFrames = false }: GraphReading,
) {
  const groups = { ...(grouping !== "function" && { group_by: grouping }), group_by_label: byLabel };
  const query = {
    sample_type: sampleType,
    max_nodes: limits.flameGraphNodesMax,
    ...groups,
    ...labelParams(labels),
    ...(hasStoredFrames && { stored_frames: "true" }),
  };
  const response = await callRaw(flameGraph, {
    params: { id },
    query,
    accept: flameGraphContentType,
    ...(context && { signal: context.signal }),
  });
  return readGraphColumns(response, context);
}

/** A profile may get a later neighbour at any time. */
export function neighboursQuery(id: string) {
  return callQuery(["profile", id, "neighbours"], profileNeighbours, { params: { id } });
}

/** Downloads the bytes as they were sent. Returns a remark about them if they were not. */
export async function saveOriginal(profile: Profile): Promise<string | undefined> {
  const response = await callRaw(downloadProfile, {
    params: { id: profile.profile_id },
    accept: "application/octet-stream",
  });
  const named = /filename="?([^";]+)"?/.exec(response.headers.get("Content-Disposition") ?? "")?.[1];
  const name = named ?? `${profile.service}-${profile.type}-${profile.profile_id.slice(0, 12)}.pb.gz`;
  saveFile(name, await response.blob());
  return response.headers.get(rebuiltHeader) ?? undefined;
}

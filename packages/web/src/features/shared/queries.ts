import { type ReplyOf, readSharedGraph, readSharedView } from "@flamekeep/contract";
import { queryOptions } from "@tanstack/react-query";
import { call, callRaw } from "#api/call.ts";

export type SharedView = ReplyOf<typeof readSharedView>;

/** A reload shows whether the link still works. */
export function sharedViewQuery(token: string) {
  return queryOptions({
    queryKey: ["shared-view", token],
    queryFn: ({ signal }) => call(readSharedView, { body: { token }, signal }),
    retry: false,
  });
}

export function sharedGraphQuery(token: string) {
  return queryOptions({
    queryKey: ["shared-graph", token],
    queryFn: ({ signal }) => readGraph({ token }, signal),
    retry: false,
  });
}

/** The columns of the graph, with all of its frames. */
async function readGraph(
  body: { readonly token: string; readonly stored_frames?: boolean },
  signal?: AbortSignal,
) {
  const response = await callRaw(readSharedGraph, {
    body,
    accept: "application/octet-stream",
    ...(signal && { signal }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

/** The graph by stored frame, for exports. */
export function readStoredFrames(token: string): Promise<Uint8Array> {
  return readGraph({ token, stored_frames: true });
}

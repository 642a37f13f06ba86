import { type ReplyOf, readSharedGraph, readSharedView } from "@flamekeep/contract";
import { type QueryFunctionContext, queryOptions } from "@tanstack/react-query";
import { callRaw } from "#api/call.ts";
import { callQuery } from "#api/call-query.ts";
import { readGraphColumns } from "#api/graph-columns.ts";

export type SharedView = ReplyOf<typeof readSharedView>;

/** A reload shows whether the link still works. */
export function sharedViewQuery(token: string) {
  return callQuery(["shared-view", token], readSharedView, { body: { token } }, { retry: false });
}

export function sharedGraphQuery(token: string) {
  return queryOptions({
    queryKey: ["shared-graph", token],
    queryFn: (context) => readGraph({ token }, context),
    retry: false,
  });
}

/** The columns of the graph, with all of its frames. */
async function readGraph(
  body: { readonly token: string; readonly stored_frames?: boolean },
  context?: QueryFunctionContext,
) {
  const response = await callRaw(readSharedGraph, {
    body,
    accept: "application/octet-stream",
    ...(context && { signal: context.signal }),
  });
  return readGraphColumns(response, context);
}

/** The graph by stored frame, for exports. */
export function readStoredFrames(token: string): Promise<Uint8Array> {
  return readGraph({ token, stored_frames: true });
}

import { previewEnd, previewIn } from "@flamekeep/flame/without-graph";
import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** The early previews, and the preview of each graph that had one. */
const previews = new WeakSet<Uint8Array>();
const previewOfGraph = new WeakMap<Uint8Array, Uint8Array>();

/** Whether these are only the widest frames of a graph whose other bytes have not arrived. */
export function isEarlyPreview(bytes: Uint8Array | undefined): boolean {
  return bytes !== undefined && previews.has(bytes);
}

/** The early preview that was the data of the query before this graph. */
export function earlyPreviewOf(bytes: Uint8Array): Uint8Array | undefined {
  return previewOfGraph.get(bytes);
}

interface OfQuery {
  readonly client: QueryClient;
  readonly queryKey: QueryKey;
}

const hasData = ({ client, queryKey }: OfQuery) => client.getQueryData(queryKey) !== undefined;

/**
 * The bytes of a flame graph. A query without data has the graph's preview as data while the other bytes arrive: all frames of a large graph
 * are megabytes.
 */
export async function readGraphColumns(
  response: Response,
  query?: OfQuery,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  const reader = response.body?.getReader();
  let preview: Uint8Array | undefined;
  let [received, previewTo] = [0, 0];
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      parts.push(part.value);
      received += part.value.length;
      if (query === undefined || preview !== undefined || received < previewTo || hasData(query)) continue;
      const start = joined(parts);
      previewTo = previewEnd(start);
      preview = previewIn(start);
      if (preview !== undefined) showEarly(query, preview);
    }
  } catch (error) {
    if (query !== undefined && preview !== undefined) forgetCancelled(query, preview);
    throw error;
  }
  const bytes = joined(parts);
  if (preview !== undefined) previewOfGraph.set(bytes, preview);
  return bytes;
}

function showEarly({ client, queryKey }: OfQuery, preview: Uint8Array): void {
  previews.add(preview);
  client.setQueryData(queryKey, preview);
}

/** A cancelled query keeps its data, which would pass for the graph of a profile for as long as the page is open. */
function forgetCancelled({ client, queryKey }: OfQuery, preview: Uint8Array): void {
  const state = client.getQueryState(queryKey);
  if (state?.data === preview && state.fetchStatus === "idle")
    void client.resetQueries({ queryKey, exact: true });
}

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

import { flameGraphDiff, flameGraphDiffContentType } from "@flamekeep/contract";
import { callRaw } from "#api/call.ts";

/** The columns of a comparison. @param query of the call */
export async function readComparison(
  query: Readonly<Record<string, unknown>>,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const response = await callRaw(flameGraphDiff, {
    query,
    accept: flameGraphDiffContentType,
    ...(signal && { signal }),
  });
  return new Uint8Array(await response.arrayBuffer());
}

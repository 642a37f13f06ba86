import { hash } from "node:crypto";
import type { GraphPart } from "./graph-part.ts";

export function cacheHeaders(etag: string) {
  return { "cache-control": "private, no-cache", etag, vary: "accept, authorization" };
}

/** The part of an entity tag that names how much of a graph is drawn. The reference of a frame is hashed, because it may be too long for a header. */
export function partTag({
  form,
  groupBy,
  hasStoredFrames,
  maxNodes,
  root,
  hasSearchIndex,
}: GraphPart): string {
  const nodes = hasSearchIndex ? `${form}-index-${maxNodes}` : `${form}-${maxNodes}`;
  const whole = groupBy === "function" ? nodes : `${nodes}-${groupBy}`;
  const frames = hasStoredFrames ? `${whole}-stored` : whole;
  return root === undefined ? frames : `${frames}-${hash("sha256", root, "hex").slice(0, 32)}`;
}

import { hash } from "node:crypto";
import { flameGraphContentType } from "@flamekeep/contract";
import type { GraphPart } from "./graph-part.ts";

/** The tag becomes a weak one, because the same graph is sent with several content codings (RFC 9110, 8.8.3). */
export function cacheHeaders(tag: string) {
  return { "cache-control": "private, no-cache", etag: `W/${tag}`, vary: "accept, authorization" };
}

const columnsVersion = flameGraphContentType.split(".").at(-1);

/** The part of an entity tag that names how much of a graph is drawn. The reference of a frame is hashed, because it may be too long for a header. */
export function partTag({
  form,
  groupBy,
  hasStoredFrames,
  maxNodes,
  root,
  hasSearchIndex,
}: GraphPart): string {
  // A browser may ask for the columns of this version with the tag of those that it has of the version before.
  const version = form === "columns" ? `${form}-${columnsVersion}` : form;
  const nodes = hasSearchIndex ? `${version}-index-${maxNodes}` : `${version}-${maxNodes}`;
  const whole = groupBy === "function" ? nodes : `${nodes}-${groupBy}`;
  const frames = hasStoredFrames ? `${whole}-stored` : whole;
  return root === undefined ? frames : `${frames}-${hash("sha256", root, "hex").slice(0, 32)}`;
}

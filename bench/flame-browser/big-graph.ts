import { gzipSync } from "node:zlib";
import { buildCallTree, encodeFlameGraph } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, writeProfile } from "@flamekeep/profile";

export interface BigGraph {
  /** The profile as a program sends it: gzip. */
  readonly upload: Buffer;
  /** Its whole call tree as the app reads it, nothing left out. */
  readonly columns: Uint8Array;
  readonly nodes: number;
  readonly levels: number;
}

/** A profile like a large Go service's, always the same one: about a million nodes. */
export function bigGraph(): BigGraph {
  const stacks = syntheticStacks({ stacks: 155_000, depth: 77, names: 20_000 });
  const facts = { timeNs: BigInt(Date.now()) * 1_000_000n, durationNs: 10_000_000_000n };
  const tree = buildCallTree(stacks, 0);
  const meta = {
    profileId: "0".repeat(32),
    totalSamples: stacks.length,
    durationMs: 10_000,
    profileHash: "",
  };
  return {
    upload: gzipSync(writeProfile(profileOfStacks(stacks, facts))),
    columns: encodeFlameGraph(tree, meta),
    nodes: tree.length,
    levels: tree.levelStart.length - 1,
  };
}

import { gzipSync } from "node:zlib";
import { buildCallTree, type CallTree, encodeFlameGraph } from "@flamekeep/flame";
import { syntheticStacks } from "@flamekeep/flame/testing";
import { profileOfStacks, type StackTable, sumStacks, writeProfile } from "@flamekeep/profile";
import { realProfiles } from "#profiles";

export interface BigGraph {
  /** Its whole call tree as the app reads it, nothing left out. */
  readonly columns: Uint8Array;
  readonly nodes: number;
  readonly levels: number;
}

/** A profile like a large Go service's, always the same one: about a million nodes. */
export function bigGraph(): BigGraph & { readonly upload: Buffer } {
  const stacks = syntheticStacks({ stacks: 155_000, depth: 77, names: 20_000 });
  const facts = { timeNs: BigInt(Date.now()) * 1_000_000n, durationNs: 10_000_000_000n };
  return {
    /** The profile as a program sends it. */
    upload: gzipSync(writeProfile(profileOfStacks(stacks, facts))),
    ...graphOf(buildCallTree(stacks, 0)),
  };
}

/** The most boxes that a picture can have: each of 1,000 rows has 1,000 frames, equally wide. */
export function gridGraph(): BigGraph {
  return graphOfEqualStacks({ stacks: 1000, depth: 1000 });
}

/** About as many nodes (220,000) and levels as the largest profile of a real service that was measured: deeper than any recorded one. */
export function deepGraph(): BigGraph {
  return graphOfEqualStacks({ stacks: 294, depth: 749 });
}

/** Stacks that share no frame below the root: each row of the graph has one box for every stack, all of the same width. */
function graphOfEqualStacks({ stacks, depth }: { stacks: number; depth: number }): BigGraph {
  const { frames, ...rest } = syntheticStacks({ stacks: 1, depth: 1, names: 1000 });
  const start = Uint32Array.from({ length: stacks + 1 }, (_, stack) => stack * depth);
  // Callees of one stack differ from those of its neighbours: no two frames are drawn as one because they are the same.
  const frame = Uint32Array.from(
    { length: stacks * depth },
    (_, at) => (Math.floor(at / depth) * 7 + (at % depth) * 13) % frames.length,
  );
  const table: StackTable = {
    ...rest,
    frames,
    length: stacks,
    start,
    frame,
    values: [new Float64Array(stacks).fill(1)],
  };
  return graphOf(buildCallTree(table, 0));
}

/** The graph with the most frames among the recorded profiles, and those of the collection where it is present. */
export function largestRealGraph(): BigGraph & { readonly name: string } {
  const largest = realProfiles()
    .flatMap(({ name, profile }) => {
      const stacks = sumStacks(profile);
      return stacks.sampleTypes.map((_, index) => ({ name, tree: buildCallTree(stacks, index) }));
    })
    .reduce((a, b) => (b.tree.length > a.tree.length ? b : a));
  return { name: largest.name, ...graphOf(largest.tree) };
}

function graphOf(tree: CallTree): BigGraph {
  const meta = {
    profileId: "0".repeat(32),
    totalSamples: tree.length,
    durationMs: 10_000,
    profileHash: "",
  };
  return {
    columns: encodeFlameGraph(tree, meta),
    nodes: tree.length,
    levels: tree.levelStart.length - 1,
  };
}

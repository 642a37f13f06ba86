import { expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { pruneTree, subtreeAt } from "../tree/prune.ts";
import { fromUtf8 } from "../wire/utf8.ts";
import { flameJson } from "./flame-json.ts";
import { levelsJson } from "./levels-json.ts";

const meta = { profileId: "p1", totalSamples: 70, durationMs: 10_000, profileHash: "h1" };
const read = (bytes: Uint8Array) => JSON.parse(fromUtf8(bytes));
const tree = buildCallTree(stacksOf("main;a;x 40\nmain;a 9\nmain;b 7\nmain 4\ngc;mark 10"), 0);

it("lists the rows from left to right and counts what is left out at its caller", () => {
  expect(read(levelsJson(pruneTree(tree, { maxNodes: 5 }), meta))).toEqual({
    profile_id: "p1",
    total_samples: 70,
    duration_ms: 10_000,
    profile_hash: "h1",
    sample_type: { type: "samples", unit: "count" },
    elided_nodes: 2,
    whole: 70,
    names: ["root", "main", "gc", "a", "x", "b", "mark"],
    levels: [
      [0, 70, 0, 0],
      [0, 60, 4, 1, 0, 10, 0, 2],
      [0, 49, 9, 3],
      [0, 40, 40, 4],
    ],
    elided: [1, 0, 1, 7, 5, 1, 1, 1, 10, 6],
  });
});

it("begins at the left edge of a part, whose shares are those of the whole", () => {
  const gc = subtreeAt(tree, 2);
  expect(read(levelsJson(gc, meta))).toMatchObject({
    whole: 70,
    levels: [
      [0, 10, 0, 0],
      [0, 10, 10, 1],
    ],
  });
  expect(read(flameJson(gc, meta)).root).toMatchObject({
    node_id: "root",
    function_name: "gc",
    total_value: 10,
    width: 100,
    total_percent: 14.285714,
  });
});

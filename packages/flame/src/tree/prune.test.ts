import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, compared, drawComparison, drawTree, stacksOf } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { nodeNamed } from "../view/node-ref.ts";
import { buildCallTree } from "./build-call-tree.ts";
import type { CallTree } from "./call-tree.ts";
import { layOut } from "./lay-out.ts";
import { pruneTree, subtreeAt } from "./prune.ts";

const tree = buildCallTree(
  stacksOf(`
    main;a;x 40
    main;a;y 9
    main;b;z 8
    main;c 7
    main;c;deep 1`),
  0,
);

describe("pruneTree", () => {
  it("keeps the widest frames and counts the others at their parent", () => {
    expect(drawTree(pruneTree(tree, { maxNodes: 4 }))).toBe(
      ["root 0/65", "  main 0/65 +4 of 16", "    a 0/49 +1 of 9", "      x 40/40"].join("\n"),
    );
  });

  it("names the widest frame that was left out", () => {
    const { elisions, functions } = pruneTree(tree, { maxNodes: 4 });
    expect(Array.from(elisions.largest, (fn) => functions.name[fn])).toEqual(["b", "y"]);
  });

  it("cuts by depth", () => {
    expect(drawTree(pruneTree(tree, { maxNodes: 100, maxDepth: 2 }))).toBe("root 0/65\n  main 0/65 +7 of 65");
  });

  it("leaves a small tree alone", () => {
    expect(pruneTree(tree, { maxNodes: tree.length })).toBe(tree);
  });

  it("keeps every total, and pruning twice is pruning once", () => {
    let elided = 0;
    fc.assert(
      fc.property(arbitraryStacks, fc.integer({ min: 1, max: 40 }), fc.nat(20), (stacks, maxNodes, more) => {
        const whole = buildCallTree(stacks, 0);
        const pruned = pruneTree(whole, { maxNodes });
        const counted = pruned.length + pruned.elisions.count.reduce((sum, count) => sum + count, 0);
        expect(pruned.length).toBe(Math.min(whole.length, maxNodes));
        expect(counted).toBe(whole.length);
        expect([pruned.total[0], pruned.width[0], pruned.samples[0]]).toEqual([
          whole.total[0],
          whole.width[0],
          whole.samples[0],
        ]);
        expect(pruneTree(pruneTree(whole, { maxNodes: maxNodes + more }), { maxNodes })).toEqual(pruned);
        elided += pruned.elisions.length;
      }),
    );
    expect(elided).toBeGreaterThan(0);
  });
});

const whole = compared("main;a;x 40\nmain;a;y;z 9\nmain;b 8", "main;a;x 50\nmain;c 7");
const pruned = pruneTree(whole, { maxNodes: 4 });
const drawn = (comparison: CallTree) => drawComparison(layOut(comparison, [1, 1]));
const a = nodeNamed(whole, "root_0_0");

describe("a part of a comparison", () => {
  it("is a frame with everything below it", () => {
    expect(drawn(subtreeAt(whole, a))).toBe("a 49 > 50\n  x 40 > 50\n  y 9 > 0\n    z 9 > 0");
    expect(subtreeAt(whole, 0)).toBe(whole);
  });

  it("keeps what was left out below the frame", () => {
    expect([...foldedLines(layOut(subtreeAt(pruned, 2), [1, 1]))].join("")).toBe(
      "[2 small frames left out] 9 0\nx 40 50\n",
    );
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, drawTree, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { pruneTree } from "./prune.ts";

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

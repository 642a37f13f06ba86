import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, drawTree, stacksOf } from "../testing/index.ts";
import { nodeNamed, nodeRefOf } from "../view/node-ref.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { wholeOf } from "./call-tree.ts";
import { pruneTree } from "./prune.ts";
import { subtreeAt } from "./subtree.ts";
import { hasElisionsBelow, unfoldAt } from "./unfold.ts";

const whole = buildCallTree(
  stacksOf(`
    main;a;x 40
    main;a;y;z 9
    main;b;z 8
    main;c 7`),
  0,
);
const pruned = pruneTree(whole, { maxNodes: 4 });

describe("subtreeAt", () => {
  it("is a frame with everything below it and the shares of the whole tree", () => {
    const a = subtreeAt(whole, nodeNamed(whole, "root_0_0"));
    expect(drawTree(a)).toBe("a 0/49\n  x 40/40\n  y 0/9\n    z 9/9");
    expect(wholeOf(a)).toBe(64);
    expect(wholeOf(pruneTree(a, { maxNodes: 2 }))).toBe(64);
    expect(subtreeAt(whole, 0)).toBe(whole);
  });

  it("keeps the counts of frames that were left out below it", () => {
    expect(drawTree(subtreeAt(pruned, 2))).toBe("a 0/49 +2 of 9\n  x 40/40");
  });
});

describe("unfoldAt", () => {
  it("puts the frames that were left out below a frame in their places, and nothing else", () => {
    expect(drawTree(pruned)).toBe("root 0/64\n  main 0/64 +3 of 15\n    a 0/49 +2 of 9\n      x 40/40");
    const a = subtreeAt(whole, nodeNamed(whole, "root_0_0"));
    expect(drawTree(unfoldAt(pruned, 2, a))).toBe(
      "root 0/64\n  main 0/64 +3 of 15\n    a 0/49\n      x 40/40\n      y 0/9\n        z 9/9",
    );
    const less = unfoldAt(pruned, 2, pruneTree(a, { maxNodes: 3 }));
    expect(drawTree(less)).toContain("y 0/9 +1 of 9");
  });

  it("gives back the whole tree, frame by frame or at once", () => {
    let unfolded = 0;
    fc.assert(
      fc.property(arbitraryStacks, fc.nat(30), fc.nat(), (stacks, maxNodes, at) => {
        const all = buildCallTree(stacks, 0);
        const cut = pruneTree(all, { maxNodes: maxNodes + 1 });
        const node = at % cut.length;
        const ref = nodeRefOf(cut, node);
        const more = unfoldAt(cut, node, subtreeAt(all, nodeNamed(all, ref)));
        expect(hasElisionsBelow(more, nodeNamed(more, ref))).toBe(false);
        expect([more.total[0], more.width[0], more.samples[0]]).toEqual([
          all.total[0],
          all.width[0],
          all.samples[0],
        ]);
        const counted = more.length + more.elisions.count.reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(all.length);
        expect(drawTree(pruneTree(more, { maxNodes: maxNodes + 1 }))).toBe(drawTree(cut));
        expect(drawTree(unfoldAt(cut, 0, all))).toBe(drawTree(all));
        unfolded += more.length - cut.length;
      }),
    );
    expect(unfolded).toBeGreaterThan(100);
  });
});

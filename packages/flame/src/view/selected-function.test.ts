import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { nodeAtRef, nodeRefOf } from "./node-ref.ts";
import { framePathAt, refAtFramePath } from "./selected-function.ts";

const before = buildCallTree(stacksOf("main;a 50\nmain;b;x 30\nmain;b;y 10"), 0);

describe("the path of a frame", () => {
  it("leads back to the frame in the same tree", () => {
    let deep = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const tree = buildCallTree(stacks, 0);
        for (let node = 0; node < tree.length; node++) {
          const ref = nodeRefOf(tree, node);
          expect(refAtFramePath(tree, framePathAt(tree, ref)!)).toBe(ref);
          if (ref.includes(".")) deep++;
        }
      }),
    );
    expect(deep).toBeGreaterThan(100);
  });

  it("finds the frame where siblings have another order", () => {
    const after = buildCallTree(stacksOf("main;a 50\nmain;b;x 30\nmain;b;y 60"), 0);
    const path = framePathAt(before, "0.1.0")!;
    expect(path.map(({ ref }) => ref)).toEqual(["main", "b", "x"]);
    expect(refAtFramePath(after, path)).toBe("0.0.1");
    expect(nodeAtRef(after, "0.1.0")).not.toBe(nodeAtRef(after, "0.0.1"));
  });

  it("leads to the deepest ancestor that is left", () => {
    const after = buildCallTree(stacksOf("main;a 5\nmain;b;y 60"), 0);
    expect(refAtFramePath(after, framePathAt(before, "0.1.0")!)).toBe("0.0");
    expect(refAtFramePath(buildCallTree(stacksOf(""), 0), framePathAt(before, "0.1.0")!)).toBe("");
  });

  it("is unknown for a reference without a node", () => {
    expect(framePathAt(before, "0.1.7")).toBeUndefined();
  });
});

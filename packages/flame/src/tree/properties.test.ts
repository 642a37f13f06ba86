import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks } from "../testing/index.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { levelOf } from "./call-tree.ts";

describe("every call tree", () => {
  it("has self values that sum to the total, which is the sum of the stacks", () => {
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const tree = buildCallTree(stacks, 0);
        const sum = (values: Iterable<number | bigint>) =>
          [...values].reduce<number>((all, value) => all + Number(value), 0);
        expect(sum(tree.self)).toBe(tree.total[0]);
        expect(sum(stacks.values[0])).toBe(tree.total[0]);
      }),
    );
  });

  it("has boxes inside their parents, next to their siblings, widest first", () => {
    let children = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const { firstChild, length, parent, width, x, ...tree } = buildCallTree(stacks, 0);
        for (let node = 1; node < length; node++) {
          const above = parent[node];
          const isFirst = node === firstChild[above];
          expect(x[node]).toBe(isFirst ? x[above] : x[node - 1] + width[node - 1]);
          expect(x[node] + width[node]).toBeLessThanOrEqual(x[above] + width[above]);
          if (!isFirst) expect(width[node]).toBeLessThanOrEqual(width[node - 1]);
          expect(levelOf({ firstChild, length, parent, width, x, ...tree }, node)).toBe(
            levelOf({ firstChild, length, parent, width, x, ...tree }, above) + 1,
          );
          children++;
        }
      }),
    );
    expect(children).toBeGreaterThan(100);
  });
});

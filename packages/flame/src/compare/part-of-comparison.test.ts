import { pairStacks } from "@flamekeep/profile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, compared, drawComparison } from "../testing/index.ts";
import { comparedLines } from "../text/folded.ts";
import { hasElisionsBelow } from "../tree/unfold.ts";
import { nodeNamed, nodeRefOf } from "../view/node-ref.ts";
import { buildComparison } from "./build-comparison.ts";
import { type Comparison, type Scale, unscaled } from "./comparison.ts";
import { layOut } from "./lay-out.ts";
import { comparisonAt, unfoldComparison } from "./part-of-comparison.ts";
import { pruneComparison } from "./prune-comparison.ts";

const whole = compared("main;a;x 40\nmain;a;y;z 9\nmain;b 8", "main;a;x 50\nmain;c 7");
const pruned = pruneComparison(whole, unscaled, 4);
const drawn = (comparison: Comparison) => drawComparison(layOut(comparison, unscaled));
const a = nodeNamed(whole, "root_0_0");

describe("a part of a comparison", () => {
  it("is a frame with everything below it", () => {
    expect(drawn(comparisonAt(whole, a))).toBe("a 49 > 50\n  x 40 > 50\n  y 9 > 0\n    z 9 > 0");
    expect(comparisonAt(whole, 0)).toBe(whole);
  });

  it("keeps what was left out below the frame", () => {
    expect([...comparedLines(layOut(comparisonAt(pruned, 2), unscaled))].join("")).toBe(
      "[2 small frames left out] 9 0\nx 40 50\n",
    );
  });
});

describe("unfolding a comparison", () => {
  it("puts the frames that were left out below a frame in their places, and nothing else", () => {
    expect([...comparedLines(layOut(pruned, unscaled))].join("")).toBe(
      "main;[2 small frames left out] 8 7\nmain;a;[2 small frames left out] 9 0\nmain;a;x 40 50\n",
    );
    const more = unfoldComparison(pruned, 2, comparisonAt(whole, a));
    expect([...comparedLines(layOut(more, unscaled))].join("")).toBe(
      "main;[2 small frames left out] 8 7\nmain;a;x 40 50\nmain;a;y;z 9 0\n",
    );
  });

  it("gives back the whole comparison, frame by frame or at once", () => {
    const scales = fc.record<Scale>({ before: fc.constantFrom(1, 0.25), after: fc.constantFrom(1, 2) });
    let unfolded = 0;
    fc.assert(
      fc.property(arbitraryStacks, arbitraryStacks, scales, fc.nat(30), fc.nat(), (...input) => {
        const [before, after, scale, maxNodes, at] = input;
        const pair = pairStacks({ stacks: before, sampleType: 0 }, { stacks: after, sampleType: 0 });
        const all = buildComparison(pair, scale);
        const few = pruneComparison(all, scale, maxNodes + 1);
        const ref = nodeRefOf(few, at % few.length);
        const part = comparisonAt(all, nodeNamed(all, ref));
        const more = unfoldComparison(few, nodeNamed(few, ref), part);
        expect(hasElisionsBelow(more, nodeNamed(more, ref))).toBe(false);
        expect([more.before.total[0], more.after.total[0]]).toEqual([
          all.before.total[0],
          all.after.total[0],
        ]);
        const counted = more.length + more.elisions.count.reduce((sum, count) => sum + count, 0);
        expect(counted).toBe(all.length);
        const lines = (comparison: Comparison) => [...comparedLines(layOut(comparison, unscaled))];
        expect(lines(unfoldComparison(few, 0, all))).toEqual(lines(all));
        unfolded += more.length - few.length;
      }),
    );
    expect(unfolded).toBeGreaterThan(100);
  });
});

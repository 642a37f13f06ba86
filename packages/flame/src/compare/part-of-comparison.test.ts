import { describe, expect, it } from "vitest";
import { compared, drawComparison } from "../testing/index.ts";
import { comparedLines } from "../text/folded.ts";
import { nodeNamed } from "../view/node-ref.ts";
import { type Comparison, unscaled } from "./comparison.ts";
import { layOut } from "./lay-out.ts";
import { comparisonAt } from "./part-of-comparison.ts";
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

import { buildCallTree } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { expect, it } from "vitest";
import { frameText } from "./frame-text.ts";

const aboutAll = (folded: string) => frameText(buildCallTree(stacksOf(folded), 0), 0).about;

it("notes at the root that values are rounded once their sum exceeds 2^53", () => {
  expect(aboutAll("main 9007199254740990\ngc 1")).toBe("The whole graph");
  const rounded = "The whole graph, values rounded to 15 digits";
  expect(aboutAll("main 9007199254740991\ngc 1")).toBe(rounded);
  expect(aboutAll("main 9007199254740991\ngc -1")).toBe(rounded);
});

it("says in words what the total is", () => {
  const wait = buildCallTree(stacksOf("main 978000000000", { type: "delay", unit: "nanoseconds" }), 0);
  expect(frameText(wait, 0).about).toBe("16 min 18 s of waits in all goroutines");
});

it("computes percentages of the sum of absolute values if some are negative", () => {
  const tree = buildCallTree(stacksOf("main 300\ngc -100"), 0);
  expect([1, 2].map((node) => frameText(tree, node).totalPercent)).toEqual(["75.0%", "−25.0%"]);
});

it("says so if only the name of a frame is known", () => {
  const tree = buildCallTree(stacksOf("(idle) 3"), 0);
  expect(frameText(tree, 1).about).toBe("package and file unknown");
});

it("names the line that ran, and of several lines the one where the function begins", () => {
  const aboutFrame = (folded: string) => {
    const tree = buildCallTree(stacksOf(folded), 0);
    const startLine = new Int32Array(tree.functions.length).fill(12);
    return frameText({ ...tree, functions: { ...tree.functions, startLine } }, 1).about;
  };
  expect(aboutFrame("seal@seal.go:16 3")).toBe("seal.go:16");
  expect(aboutFrame("seal@seal.go:16 3\nseal@seal.go:18 1")).toBe("seal.go, function at line 12");
});

it("says how much of its caller a frame is, below the first frames of the stacks", () => {
  const tree = buildCallTree(stacksOf("main@a.go:1;work@b.go:2 3\nmain@a.go:1 1"), 0);
  expect(frameText(tree, 1).about).toBe("a.go:1");
  expect(frameText(tree, 2).about).toBe("b.go:2 · 75.0% of its caller");
});

import { describe, expect, it } from "vitest";
import { compared, syntheticStacks } from "../testing/index.ts";
import { layOut } from "./lay-out.ts";
import { pruneTree } from "./prune.ts";
import { callersOf, explanationOf, whatChanged, whatChangedSteps } from "./what-changed.ts";

type Folded = Parameters<typeof compared>[0];

/** Name, change, share in percent, kind and callers of each function that changed. */
function changesOf(before: Folded, after: Folded, { type = "cpu", scale = [1, 1] } = {}) {
  const tree = layOut(compared(before, after), scale);
  const nameOf = (fn: number) => tree.functions.name[fn]!;
  return whatChanged(tree, type).functions.map(({ fn, change, share, kind, place }) => [
    nameOf(fn),
    change,
    Math.round(100 * share),
    kind,
    callersOf(tree, place).map(nameOf).join(";"),
  ]);
}

describe("what changed", () => {
  it("ranks functions by the size of the difference of their self values, with their callers", () => {
    const before = "main;serve;hash 100\nmain;serve;log 50\nmain;old 30\nidle 5";
    const after = "main;serve;hash 300\nmain;serve;log 20\nmain;serve;new 60\nidle 5";
    expect(changesOf(before, after)).toEqual([
      ["hash", 200, 63, "more", "main;serve"],
      ["new", 60, 19, "new", "main;serve"],
      ["log", -30, 9, "less", "main;serve"],
      ["old", -30, 9, "gone", "main"],
    ]);
  });

  it("compares scaled values: twice the load is no change", () => {
    expect(changesOf("main;a 100\nmain;b 10", "main;a 200\nmain;b 40", { scale: [1, 0.5] })).toEqual([
      ["b", 10, 100, "more", "main"],
    ]);
    expect(changesOf("a 1\nb 1", "a 3\nb 3", { scale: [1 / 10, 1 / 30] })).toEqual([]);
  });

  it("sums a function that recurses and is called from many places, and leads to its largest change", () => {
    const before = "main;walk;walk 10\nmain;serve;walk 10";
    const after = "main;walk;walk;walk 15\nmain;walk;walk 10\nmain;serve;walk 40";
    expect(changesOf(before, after)).toEqual([["walk", 45, 100, "more", "main;serve"]]);
    expect(changesOf("main;walk;walk 10", "main;walk;walk 30")).toEqual([
      ["walk", 20, 100, "more", "main;walk"],
    ]);
  });

  it("has a renamed function as one that is gone and one that is new", () => {
    expect(changesOf("main;hashPrice 40", "main;hashPrices 40")).toEqual([
      ["hashPrice", -40, 50, "gone", "main"],
      ["hashPrices", 40, 50, "new", "main"],
    ]);
  });

  it("calls a function new only where the other side has no frame of it", () => {
    expect(changesOf("main;a;b 10", "main;a;b 10\nmain;a 7")).toEqual([["a", 7, 100, "more", "main"]]);
  });

  it("has every function of a side without values on the other one", () => {
    expect(changesOf("", "main;a 30\nmain;b 10")).toEqual([
      ["a", 30, 75, "new", "main"],
      ["b", 10, 25, "new", "main"],
    ]);
    expect(changesOf("main;a 30", "")).toEqual([["a", -30, 100, "gone", "main"]]);
    expect(changesOf("", "")).toEqual([]);
  });

  it("counts waits for the function that waits", () => {
    const before = "main;ask;runtime.chansend;runtime.gopark 2";
    const after = "main;ask;runtime.chansend;runtime.gopark 9";
    expect(changesOf(before, after, { type: "goroutine" })).toEqual([["ask", 7, 100, "more", "main"]]);
    expect(changesOf(before, after)[0]?.[0]).toBe("runtime.gopark");
  });

  it("has neither the root nor the placeholder of truncated stacks", () => {
    const names = changesOf("[truncated];a 10", "[truncated];a 30").map(([name]) => name);
    expect(names).toEqual(["a"]);
  });
});

describe("the explanation of a change", () => {
  it("is the functions that are each a twentieth of it or more, at most five", () => {
    expect(explanationOf([91, 5, 4])).toEqual({ count: 2, share: 0.96 });
    expect(explanationOf([40, 21, 14, 2, 2, ...Array.from({ length: 21 }, () => 1)])).toEqual({
      count: 3,
      share: 0.75,
    });
    expect(explanationOf([10, 10, 10, 10, 10, 10]).count).toBe(5);
    expect(explanationOf(Array.from({ length: 100 }, () => 1))).toEqual({ count: 0, share: 0 });
    expect(explanationOf([])).toEqual({ count: 0, share: 0 });
  });

  it("of a change that leaves the total as it was counts growth and decline by their sizes", () => {
    const { whole, explanation } = whatChanged(layOut(compared("a 50\nb 10", "a 10\nb 50"), [1, 1]), "cpu");
    expect([whole, explanation]).toEqual([80, { count: 2, share: 1 }]);
  });
});

describe("a large comparison", () => {
  const tree = layOut(
    compared(
      syntheticStacks({ stacks: 60_000, depth: 40, names: 20_000 }),
      syntheticStacks({ stacks: 60_000, depth: 40, names: 20_000 }),
    ),
    [1, 1.5],
  );

  it("is ranked in steps", () => {
    expect(tree.length).toBeGreaterThan(300_000);
    let steps = 0;
    for (const _ of whatChangedSteps(tree, "cpu")) steps++;
    expect(steps).toBeGreaterThan(tree.length / 40_000);
  });

  it("has the same functions when only its widest frames were sent", () => {
    const whole = whatChanged(tree, "cpu");
    const cutTree = layOut(pruneTree(tree, { maxNodes: 4096, hasAllFrames: true }), tree.scale);
    const cut = whatChanged(cutTree, "cpu");
    const rowsOf = ({ functions }: typeof whole, { name }: typeof tree.functions) =>
      functions.map(({ fn, kind, change }) => [name[fn], kind, change]);
    expect(whole.functions.length).toBeGreaterThan(1000);
    expect(rowsOf(cut, cutTree.functions)).toEqual(rowsOf(whole, tree.functions));
    expect(cut.explanation).toEqual(whole.explanation);
  });
});

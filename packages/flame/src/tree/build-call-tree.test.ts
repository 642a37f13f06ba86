import { describe, expect, it } from "vitest";
import { drawTree, stacksFrom, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { depthOf, levelOf, pathTo } from "./call-tree.ts";
import { pruneTree } from "./prune.ts";

describe("buildCallTree", () => {
  it("takes the copies of a generic function for one, and keeps other type parameters", () => {
    const stacks = stacksFrom([
      { frames: ["main", "slices.Max[go.shape.int]", "cmp.less[int]"], value: 3 },
      { frames: ["main", "slices.Max[go.shape.string]"], value: 2 },
      { frames: ["main", "slices.Max[...]"], value: 1 },
    ]);
    expect(drawTree(buildCallTree(stacks, 0)).split("\n")).toEqual([
      "root 0/6",
      "  main 0/6",
      "    slices.Max 3/6",
      "      cmp.less[int] 3/3",
    ]);
  });

  it("sums stacks into a tree, siblings widest first, then by name", () => {
    const tree = buildCallTree(
      stacksOf(`
        main;handle;encode 30
        main;handle;query 50
        main;handle 5
        main;gc 20
        idle 85
        alarm 85`),
      0,
    );
    expect(drawTree(tree)).toBe(
      [
        "root 0/275",
        "  main 0/105",
        "    handle 5/85",
        "      query 50/50",
        "      encode 30/30",
        "    gc 20/20",
        "  alarm 85/85",
        "  idle 85/85",
      ].join("\n"),
    );
    expect([...tree.levelStart]).toEqual([0, 1, 4, 6, 8]);
    expect([...tree.x]).toEqual([0, 0, 105, 190, 0, 85, 0, 50]);
    expect(pathTo(tree, 7).map((node) => tree.functions.name[tree.fn[node]])).toEqual([
      "root",
      "main",
      "handle",
      "encode",
    ]);
    expect(Array.from({ length: tree.length }, (_, node) => levelOf(tree, node))).toEqual([
      0, 1, 1, 1, 2, 2, 3, 3,
    ]);
  });

  it("does not depend on the order of the stacks", () => {
    const lines = ["main;a;b 3", "main;a 4", "main;b;a 3", "gc 7"];
    const forth = buildCallTree(stacksOf(lines.join("\n")), 0);
    const back = buildCallTree(stacksOf(lines.toReversed().join("\n")), 0);
    expect(back).toEqual(forth);
    expect(forth.length).toBe(7);
  });

  it("merges frames by function name and keeps the line only where all samples agree", () => {
    const tree = buildCallTree(stacksOf("main@m.go:3;work@w.go:7 1\nmain@m.go:3;work@w.go:9 2"), 0);
    expect(drawTree(tree)).toBe("root 0/3\n  main 0/3\n    work 3/3");
    expect([...tree.line]).toEqual([0, 3, 0]);
    expect(tree.functions.file).toEqual(["", "m.go", "w.go"]);
  });

  it("keeps a function that is called root apart from the root", () => {
    const tree = buildCallTree(stacksOf("root;root 2"), 0);
    expect(drawTree(tree)).toBe("root 0/2\n  root 0/2\n    root 2/2");
    expect([...tree.fn]).toEqual([0, 1, 1]);
  });

  it("keeps negative values in totals and gives them no width", () => {
    const tree = buildCallTree(stacksOf("main;grown 30\nmain;shrunk -50\nmain 5"), 0);
    expect(drawTree(tree)).toBe("root 0/-15\n  main 5/-15\n    grown 30/30\n    shrunk -50/-50");
    expect([...tree.width]).toEqual([35, 35, 30, 0]);
  });

  it("is the bare root where every value is 0", () => {
    const tree = buildCallTree(stacksOf("main;idle 0"), 0);
    expect(tree.length).toBe(1);
    expect(depthOf(tree)).toBe(1);
    expect(tree.total[0]).toBe(0);
  });

  it("counts samples by the count that Go records with a measured type, else by stacks", () => {
    const base = stacksOf("main;a 20\nmain;b 30");
    const both = {
      ...base,
      sampleTypes: [
        { type: "samples", unit: "count" },
        { type: "cpu", unit: "nanoseconds" },
        { type: "sent", unit: "bytes" },
      ],
      values: [Float64Array.of(2, 3), Float64Array.of(20, 30), Float64Array.of(7, 9)],
    };
    expect([...buildCallTree(both, 1).samples]).toEqual([5, 5, 3, 2]);
    expect([...buildCallTree(both, 2).samples]).toEqual([2, 2, 1, 1]);
  });

  it("adds 64-bit columns", () => {
    const stacks = { ...stacksOf("main;a 1\nmain;b 1"), values: [BigInt64Array.of(2n ** 60n, 2n ** 60n)] };
    expect(buildCallTree(stacks, 0).total[0]).toBe(2 ** 61);
  });

  it("names a sample type that is not there", () => {
    expect(() => buildCallTree(stacksOf("main 1"), 3)).toThrow("no sample type 3");
  });

  it("takes the widest stacks where all would make too many nodes, and counts the frames of the others", () => {
    const stacks = stacksOf(`
      main;b;c;d 1
      main;a;x;y 5
      main;a;x;z 3
      gc;sweep 2
      main;a -1
      main;a;w -4`);
    const whole = buildCallTree(stacks, 0);
    expect(buildCallTree(stacks, 0, whole.length)).toEqual(whole);
    const tree = buildCallTree(stacks, 0, 6);
    expect(drawTree(tree)).toBe(
      [
        "root 0/6 +2 of 2",
        "  main 0/4 +3 of 1",
        "    a -1/3 +1 of -4",
        "      x 0/8",
        "        y 5/5",
        "        z 3/3",
      ].join("\n"),
    );
    expect(Array.from(tree.elisions.largest, (fn) => tree.functions.name[fn])).toEqual(["gc", "b", "w"]);
    expect(pruneTree(tree, { maxNodes: 1 }).elisions.total).toEqual(Float64Array.of(6));
    expect(tree.total[0]).toBe(whole.total[0]);
    expect(tree.width[0]).toBe(whole.width[0]);
    expect(tree.samples[0]).toBe(whole.samples[0]);
  });

  it("takes stacks 60,000 frames deep", () => {
    const frames = Array.from({ length: 60_000 }, (_, depth) => `f${depth % 7}`);
    const tree = buildCallTree(stacksFrom([{ frames, value: 4 }]), 0);
    expect(depthOf(tree)).toBe(60_001);
    expect(tree.total[0]).toBe(4);
  });
});

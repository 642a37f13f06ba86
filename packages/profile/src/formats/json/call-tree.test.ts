import { describe, expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { StackLines } from "#write/stack-lines.ts";
import { CallTree } from "./call-tree.ts";

describe("a tree of calls", () => {
  it("follows each call to its root once, however often it is written", () => {
    const stacks = new StackLines(1, defaultLimits);
    let followed = 0;
    const limits = {
      ...defaultLimits,
      get depth() {
        followed++;
        return 3;
      },
    };
    const tree = new CallTree(stacks, 1, limits);
    const frames = ["main", "a", "b", "c", "d", "e"].map((name) => stacks.frame({ name, file: "", line: 0 }));
    let call = -1;
    for (let round = 0; round < 300; round++) {
      call = tree.child(round % frames.length === 0 ? -1 : call, frames[round % frames.length]!);
      tree.add(call, 0, 1);
      tree.write({}, [1]);
    }
    expect(tree.length).toBe(6);
    expect(followed).toBe(6);
    const profile = stacks.profile([{ type: "samples", unit: "count" }]);
    expect(foldStacks(sumStacks(profile), 0).trim().split("\n")).toEqual([
      "main 50",
      "main;a 50",
      "main;a;b 50",
      "main;a;b;c 150",
    ]);
  });

  it("is refused beyond the limit of values, one for each sample type and call", () => {
    const stacks = new StackLines(3, defaultLimits);
    const tree = new CallTree(stacks, 3, { ...defaultLimits, values: 6 });
    const frame = stacks.frame({ name: "main", file: "", line: 0 });
    tree.call(frame, tree.call(frame));
    expect(() => tree.call(frame)).toThrow("more than 6 values");
    expect(tree.length).toBe(2);
  });
});

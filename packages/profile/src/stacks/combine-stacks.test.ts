import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { functionTotals } from "#describe/function-totals.ts";
import type { StackTable } from "#model/stack-table.ts";
import { readProfile } from "#read/read-profile.ts";
import { writeProfile } from "#write/write-profile.ts";
import { profileOf, stacksOf } from "../testing/index.ts";
import { diffStacks, foldStacks, mergeStacks } from "./combine-stacks.ts";
import { totalOf } from "./total-of.ts";

function lines(table: StackTable, sampleType = 0): string[] {
  return foldStacks(table, sampleType).split("\n").sort();
}

describe("merging and comparing", () => {
  const before = stacksOf("main main\nwork idle\n10 5");
  const after = stacksOf("main main\nwork sort\n25 5");

  it("merges over equal stacks", () => {
    expect(foldStacks(mergeStacks([before, after]), 0)).toBe("main;work 35\nmain;idle 5\nmain;sort 5\n");
  });

  it("subtracts the base and leaves out what did not change", () => {
    expect(foldStacks(diffStacks(before, after), 0)).toBe("main;work 15\nmain;idle -5\nmain;sort 5\n");
    expect(diffStacks(before, before).length).toBe(0);
  });

  it("matches sample types by name and unit", () => {
    const cpu = stacksOf("main\n1,10", { sampleTypes: ["samples/count", "cpu/nanoseconds"] });
    const wall = stacksOf("main\n7,3", { sampleTypes: ["wall/nanoseconds", "samples/count"] });
    const merged = mergeStacks([cpu, wall]);
    expect(merged.sampleTypes.map(({ type }) => type)).toEqual(["samples", "cpu", "wall"]);
    expect(merged.values.map(totalOf)).toEqual([4, 10, 7]);
  });

  it("keeps repeated sample types apart", () => {
    const twice = stacksOf("main\n1,2", { sampleTypes: ["a/b", "a/b"] });
    expect(mergeStacks([twice, twice]).values.map(totalOf)).toEqual([2, 4]);
  });

  it("stays exact where a merge goes beyond 2^53", () => {
    const large = stacksOf("main\n9007199254740991");
    expect(foldStacks(mergeStacks([large, large, large]), 0)).toBe("main 27021597764222973\n");
  });

  it("merges nothing to nothing", () => {
    expect(mergeStacks([]).length).toBe(0);
  });
});

const names = ["main", "work", "idle", "sort", "gc", "日本"];
const picture = fc
  .array(fc.tuple(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 5 }), fc.integer()), {
    minLength: 1,
    maxLength: 8,
  })
  .map((samples) => {
    const rows = Array.from({ length: 5 }, (_, depth) =>
      samples.map(([stack]) => (stack[depth] ?? "").padEnd(20)).join(" "),
    );
    return [...rows, samples.map(([, value]) => String(value).padEnd(20)).join(" ")].join("\n");
  });

describe("for any profiles", () => {
  it("merging is commutative and associative", () => {
    fc.assert(
      fc.property(picture, picture, picture, (a, b, c) => {
        const [x, y, z] = [stacksOf(a), stacksOf(b), stacksOf(c)];
        expect(lines(mergeStacks([x, y]))).toEqual(lines(mergeStacks([y, x])));
        const all = lines(mergeStacks([x, y, z]));
        expect(lines(mergeStacks([mergeStacks([x, y]), z]))).toEqual(all);
        expect(lines(mergeStacks([x, mergeStacks([y, z])]))).toEqual(all);
      }),
    );
  });

  it("adding a difference to its base gives the original table", () => {
    fc.assert(
      fc.property(picture, picture, (a, b) => {
        const [x, y] = [stacksOf(a), stacksOf(b)];
        expect(lines(mergeStacks([x, diffStacks(x, y)]))).toEqual(lines(y));
      }),
    );
  });

  it("self values sum to the total", () => {
    fc.assert(
      fc.property(picture, (a) => {
        const stacks = stacksOf(a);
        const weights = Float64Array.from(stacks.values[0], Number);
        const { self } = functionTotals(stacks, weights);
        expect(self.reduce((sum, value) => sum + value, 0)).toBe(Number(totalOf(stacks.values[0])));
      }),
    );
  });

  it("writing and reading gives the same profile", () => {
    fc.assert(
      fc.property(picture, fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (a, timeNs) => {
        const facts = { timeNs, period: 5n, comments: ["a", "b"], defaultSampleType: "samples" };
        const first = readProfile(writeProfile(profileOf(a, facts)));
        if (!first.ok) throw new Error(first.error.message);
        expect(first.profile.timeNs).toBe(timeNs);
        expect(first.profile.comments).toEqual(["a", "b"]);
        expect(readProfile(writeProfile(first.profile))).toEqual(first);
      }),
    );
  });
});

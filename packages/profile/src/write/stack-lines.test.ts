import { expect, it } from "vitest";
import { defaultLimits } from "#model/limits.ts";
import { StackLines } from "./stack-lines.ts";

it("has no more values, one for each sample type, than its limit, whether samples or types are added", () => {
  const stacks = new StackLines(1, { ...defaultLimits, values: 4 });
  const frame = stacks.frame({ name: "main", file: "", line: 0 });
  stacks.add([frame], [1]);
  stacks.add([frame], [2]);
  expect(stacks.addColumn()).toBe(1);
  expect(() => stacks.addColumn()).toThrow("more than 4 values");
  expect(() => stacks.add([frame], [3, 3])).toThrow("more than 4 values");
  const types = ["samples", "faults"].map((type) => ({ type, unit: "count" }));
  const { samples } = stacks.profile(types);
  expect([samples.length, samples.values.map((column) => [...column])]).toEqual([
    2,
    [
      [1, 2],
      [0, 0],
    ],
  ]);
});

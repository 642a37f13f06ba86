import { expect, it } from "vitest";
import { foldStacks } from "#stacks/combine-stacks.ts";
import { sumStacks } from "#stacks/sum-stacks.ts";
import { writeProfile } from "#write/write-profile.ts";
import { readLabelledStacks } from "../read-stacks.ts";
import { profileOf } from "../testing/profile-of.ts";
import { measuresOf } from "./profile-type.ts";
import { samplesWithMeasures, withMeasures } from "./select-measures.ts";

const picture = `
  main main main
  work grow idle
  10,0,0 0,64,0 0,0,0`;
const sampleTypes = ["cpu-time/nanoseconds", "alloc-space/bytes", "exception-samples/count"];

function read(picture: string, facts: Parameters<typeof profileOf>[1]) {
  const profile = profileOf(picture, facts);
  const result = readLabelledStacks(writeProfile(profile));
  if (!result.ok) throw new Error(result.error.message);
  return { profile, stacks: result.profile };
}

it("a type has the stacks with a value of that type, with ids and names as before", () => {
  const { profile, stacks } = read(picture, { sampleTypes });
  const memory = withMeasures(stacks, measuresOf(profile, "memory"));
  expect(memory.sampleTypes).toEqual([{ type: "alloc_space", unit: "bytes" }]);
  expect(foldStacks(memory.stacks, 0)).toBe("main;grow 64\n");
  expect(memory.stacks.length).toBe(1);
  const place = [0, 1, 2].find((stack) => stacks.stacks.values[1]![stack] === 64)!;
  expect([...memory.stacks.ids!]).toEqual([...stacks.stacks.ids!.slice(2 * place, 2 * place + 2)]);
  const samples = samplesWithMeasures(profile, measuresOf(profile, "cpu"));
  expect(foldStacks(sumStacks(samples), 0)).toBe("main;work 10\n");
  expect(samples.samples.length).toBe(1);
});

it("derives CPU time from samples, exactly beyond 2^53", () => {
  const period = { periodType: { type: "cpu", unit: "nanoseconds" }, period: 10_000_000n };
  const derived = (picture: string) => {
    const { profile, stacks } = read(picture, { sampleTypes: ["samples/count"] });
    return withMeasures(stacks, measuresOf({ ...profile, ...period }, "cpu")).stacks.values.map((column) => [
      ...column,
    ]);
  };
  expect(derived("main work\n3 4")).toEqual([
    [3, 4],
    [30_000_000, 40_000_000],
  ]);
  expect(derived("main work\n900719925475 1")[1]).toEqual([9_007_199_254_750_000_000n, 10_000_000n]);
});

it("adds the parts of a measure, and leaves a profile alone whose measures are all of one type", () => {
  const tlab = ["alloc_in_new_tlab_bytes/bytes", "alloc_outside_tlab_bytes/bytes"];
  const { profile, stacks } = read("main work\n3,1 4,0", { sampleTypes: tlab });
  const memory = withMeasures(stacks, measuresOf(profile, "memory"));
  expect(memory.stacks.values.map((column) => [...column].sort())).toEqual([[4, 4]]);
  const go = read("main work\n3,1 4,0", { sampleTypes: ["samples/count", "cpu/nanoseconds"] });
  expect(withMeasures(go.stacks, measuresOf(go.profile, "cpu"))).toBe(go.stacks);
});

import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { inflatedRecording, recordedProfiles } from "@flamekeep/profile/testing/recordings";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks } from "./testing/arbitrary-stacks.ts";
import { syntheticStacks, wrongFigures } from "./testing/index.ts";
import { byLine } from "./tree/function-index.ts";

function recorded(file: string): StackTable {
  const result = readProfile(inflatedRecording(file)!, defaultLimits);
  if (!result.ok) throw new Error(`${file}: ${result.error.message}`);
  return sumStacks(result.profile);
}

/** The recordings with the most stacks. */
function largestRecordings(count: number): [name: string, stacks: StackTable][] {
  return recordedProfiles()
    .map(({ file }): [string, StackTable] => [file, recorded(file)])
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, count);
}

const negative = (stacks: StackTable): StackTable => ({
  ...stacks,
  values: stacks.values.map((column) =>
    Float64Array.from(column, Number).map((value, stack) => (stack % 3 === 0 ? -value : value)),
  ),
});

const made = {
  wide: syntheticStacks({ stacks: 3000, depth: 20, names: 800 }),
  deep: syntheticStacks({ stacks: 400, depth: 300, names: 500 }),
  recursive: syntheticStacks({ stacks: 1500, depth: 60, names: 12 }),
};

const graphs: [name: string, stacks: StackTable][] = [
  ...largestRecordings(12),
  ...Object.entries(made),
  ["wide, by line", byLine(made.wide)],
  ["wide, with negative values", negative(made.wide)],
  ["recursive, with negative values", negative(made.recursive)],
  ["deep, by line", byLine(made.deep)],
  ["large", syntheticStacks({ stacks: 8000, depth: 77, names: 5000 })],
];

const cuts = [100, 1000, 16_384];

describe("the figures of a graph", () => {
  it.each(graphs)("are those of its stacks at any cut: %s", (_, stacks) => {
    for (const sampleType of stacks.sampleTypes.keys())
      expect(wrongFigures(stacks, sampleType, cuts).slice(0, 5)).toEqual([]);
  });

  it("are those of any stacks, at any cut", () => {
    fc.assert(
      fc.property(arbitraryStacks, fc.integer({ min: 1, max: 40 }), (stacks, cut) => {
        expect(wrongFigures(stacks, 0, [cut])).toEqual([]);
      }),
    );
  });

  it("sees twenty graphs", () => {
    expect(graphs).toHaveLength(20);
  });
});

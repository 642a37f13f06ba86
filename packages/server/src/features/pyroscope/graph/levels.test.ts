import { buildCallTree, buildComparison, fullNames, pruneTree } from "@flamekeep/flame";
import { pairStacks, sumStacks } from "@flamekeep/profile";
import { profileOf } from "@flamekeep/profile/testing";
import { expect, test } from "vitest";
import { levelsOf } from "./levels.ts";
import { treeBytes } from "./tree-bytes.ts";

const stacks = sumStacks(
  profileOf(`
    main    main   main  gc
    serve   serve
    parse
    30      15     5     2`),
);

test("levels have distances, totals, self values and names", () => {
  const tree = buildCallTree(stacks, 0);
  expect(levelsOf(tree, fullNames(tree.functions))).toEqual({
    names: ["total", "main", "gc", "serve", "parse"],
    levels: [
      [0, 52, 0, 0],
      [0, 50, 5, 1, 0, 2, 2, 2],
      [5, 45, 15, 3],
      [20, 30, 30, 4],
    ],
    totals: [52],
    maxSelf: 30,
  });
});

test("frames that are left out are one frame, and no value is lost", () => {
  const tree = pruneTree(buildCallTree(stacks, 0), { maxNodes: 2 });
  expect(levelsOf(tree, fullNames(tree.functions))).toMatchObject({
    names: ["total", "main", "other"],
    levels: [
      [0, 52, 0, 0],
      [0, 50, 5, 1, 0, 2, 2, 2],
      [5, 45, 45, 2],
    ],
  });
});

test("a comparison has both sides of each frame", () => {
  const after = sumStacks(profileOf("main  gc\nserve\n20    7"));
  const pair = pairStacks({ stacks, sampleType: 0 }, { stacks: after, sampleType: 0 });
  const tree = buildComparison(pair);
  expect(levelsOf(tree, fullNames(tree.functions))).toEqual({
    names: ["total", "main", "gc", "serve", "parse"],
    levels: [
      [0, 52, 0, 0, 27, 0, 0],
      [0, 50, 5, 0, 20, 0, 1, 0, 2, 2, 0, 7, 7, 2],
      [5, 45, 15, 0, 20, 20, 3],
      [20, 30, 30, 20, 0, 0, 4],
    ],
    totals: [52, 27],
    maxSelf: 30,
  });
});

test("rounded values of callees and self values add up to the total", () => {
  const thirds = {
    ...stacks,
    values: [Float64Array.from(stacks.values[0]!, (value: number | bigint) => Number(value) / 3)],
  };
  const tree = buildCallTree(thirds, 0);
  const { levels, totals } = levelsOf(tree, fullNames(tree.functions));
  expect(totals).toEqual([Math.round(52 / 3)]);
  const self = levels.flat().filter((_, at) => at % 4 === 2);
  expect(self.reduce((sum, value) => sum + value, 0)).toBe(totals[0]);
});

test("the bytes of a tree are its frames depth first", () => {
  const tree = buildCallTree(stacks, 0);
  const bytes = treeBytes(levelsOf(tree, fullNames(tree.functions)));
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      value += (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const frame = (path: readonly string[]): string[] => {
    const length = number();
    const name = Buffer.from(bytes.subarray(at, at + length)).toString();
    at += length;
    const own = [...path, name];
    const line = `${own.slice(1).join(";")} ${number()}`;
    const count = number();
    return [line, ...Array.from({ length: count }, () => frame(own)).flat()];
  };
  expect(frame([]).sort()).toEqual([" 0", "gc 2", "main 5", "main;serve 15", "main;serve;parse 30"]);
  expect(at).toBe(bytes.length);
});

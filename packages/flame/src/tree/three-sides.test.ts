import type { StackTable } from "@flamekeep/profile";
import { describe, expect, it } from "vitest";
import { measuresOf } from "#export/view-stacks.ts";
import { drawComparison, stacksFrom } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { sandwichTree, transformTree } from "../transform/apply.ts";
import { chainOf } from "../transform/chain.ts";
import { searchTree } from "../view/search.ts";
import { placesOf } from "../view/selected-function.ts";
import { decodeWith } from "../wire/decode.ts";
import { encodeFlameGraph } from "../wire/encode.ts";
import { buildComparison } from "./build-call-tree.ts";
import { sortedFunctions, totalsByColumn } from "./function-totals.ts";
import { dividedBy, layOut, shareScale } from "./lay-out.ts";
import { pruneTree } from "./prune.ts";

/** Each stack with its value in version 1, 2 and 3, whose files are in other folders. */
const rows: readonly (readonly [stack: string, ...values: number[]])[] = [
  ["main;serve;encode", 30, 20, 10],
  ["main;serve;parse", 0, 30, 60],
  ["main;gc", 10, 10, 30],
];

function threeVersions(): StackTable {
  const stacks = rows.flatMap(([stack, ...values]) =>
    values.map((value, version) => ({
      frames: stack.split(";").map((name) => `${name}@/srv/v${version + 1}/app/${name}.py:1`),
      value,
      version,
    })),
  );
  const table = stacksFrom(stacks);
  const values = [0, 1, 2].map((version) =>
    Float64Array.from(stacks, (stack) => (stack.version === version ? stack.value : 0)),
  );
  return { ...table, sampleTypes: [1, 2, 3].map(() => table.sampleTypes[0]), values };
}

describe("a comparison of three versions", () => {
  const tree = buildComparison(threeVersions());
  const read = decodeWith(encodeFlameGraph(tree, { name: "three" }, [1, 2, 4]), (fields) => fields);

  it("is built as one tree, with functions of other folders as one", () => {
    expect(drawComparison(tree)).toBe(`root 40 > 60 > 100
  main 40 > 60 > 100
    serve 30 > 50 > 70
      parse 0 > 30 > 60
      encode 30 > 20 > 10
    gc 10 > 10 > 30`);
    expect([...tree.width]).toEqual([120, 120, 90, 30, 60, 30]);
  });

  it("is sent, with the divisors of means", () => {
    expect(read.meta).toEqual({ name: "three" });
    expect(read.tree).toEqual(dividedBy(tree, [1, 2, 4]));
    expect(drawComparison(read.tree).split("\n")[0]).toBe("root 40 > 30 > 25");
  });

  it("is laid out by the share of each, or as wide as one", () => {
    const shares = layOut(tree, shareScale(tree));
    const named = (node: number) => tree.functions.name[shares.fn[node]];
    expect(Array.from({ length: 3 }, (_, at) => named(at + 2))).toEqual(["serve", "gc", "encode"]);
    expect(layOut(tree, shareScale(tree), 2).width[0]).toBe(1);
    expect([...layOut(tree, [1, 1, 1], 1).width]).toEqual([60, 60, 50, 10, 30, 20]);
  });

  it("has a table of functions, sorted by the value of a version or by a difference", () => {
    const totals = totalsByColumn(tree);
    const sorted = (of: number, minus?: number) =>
      [...sortedFunctions(tree, totals, { value: "self", of, ...(minus !== undefined && { minus }) }, true)]
        .slice(0, 2)
        .map((fn) => [tree.functions.name[fn], ...totals.map(({ self }) => self[fn])]);
    expect(sorted(0)).toEqual([
      ["encode", 30, 20, 10],
      ["gc", 10, 10, 30],
    ]);
    expect(sorted(2, 1)).toEqual([
      ["parse", 0, 30, 60],
      ["gc", 10, 10, 30],
    ]);
  });

  it("is cut, transformed, searched and exported", () => {
    const cut = pruneTree(tree, { maxNodes: 3, hasAllFrames: true });
    expect(cut.columns.map(({ elided }) => [...elided])).toEqual([
      [10, 30],
      [10, 50],
      [30, 70],
    ]);
    expect(cut.columns.map(({ total }) => total[0])).toEqual([40, 60, 100]);
    expect(searchTree(cut, "parse").values).toEqual([0, 30, 60]);
    expect(searchTree(tree, "/parse|gc/").values).toEqual([10, 40, 90]);
    const serve = tree.functions.name.indexOf("serve");
    expect([0, 1, 2].map((column) => placesOf(tree, serve, column).total)).toEqual([30, 50, 70]);
    expect([...foldedLines(transformTree(tree, chainOf("hide:serve")))].sort()).toEqual([
      "main;encode 30 20 10\n",
      "main;gc 10 10 30\n",
      "main;parse 0 30 60\n",
    ]);
    const { callers } = sandwichTree(tree, { by: "function", text: "serve" });
    expect(drawComparison(callers)).toBe("root 30 > 50 > 70\n  serve 30 > 50 > 70\n    main 30 > 50 > 70");
    expect(measuresOf(tree).map(({ valueType }) => valueType.type)).toEqual([
      "side1_samples",
      "side2_samples",
      "side3_samples",
    ]);
  });
});

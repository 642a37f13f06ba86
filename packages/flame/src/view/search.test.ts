import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tooSlow } from "../match/name-query.ts";
import { arbitraryStacks, stacksFrom, stacksOf, syntheticStacks } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { functionTotals } from "../tree/function-totals.ts";
import {
  hasMatchIn,
  matchesByWidth,
  searchFunction,
  searchSteps,
  searchTree,
  suggestedFunctions,
} from "./search.ts";

const tree = buildCallTree(
  stacksOf(`
    main.main;encoding/json.Marshal;encoding/json.encode 30
    main.main;encoding/json.Marshal;runtime.mallocgc 20
    main.main;net/http.serve 40
    runtime.gc 10`),
  0,
);
const names = (nodes: readonly number[]) => nodes.map((node) => tree.functions.name[tree.fn[node]]);

describe("searchTree", () => {
  it("matches names and packages in any case, and counts values below a match once", () => {
    const found = searchTree(tree, "JSON");
    expect(found).toMatchObject({ functionCount: 2, frameCount: 2, values: [50] });
    expect(names([...matchesByWidth(tree, found)])).toEqual([
      "encoding/json.Marshal",
      "encoding/json.encode",
    ]);
  });

  it("finds the ranges that hide a match", () => {
    const found = searchTree(tree, "mallocgc");
    const [main, gc] = [1, 2];
    expect(names([main, gc])).toEqual(["main.main", "runtime.gc"]);
    expect([hasMatchIn(found, main, gc), hasMatchIn(found, gc, gc + 1)]).toEqual([true, false]);
  });

  it("takes a regular expression between slashes, and says why it cannot take another one", () => {
    expect(searchTree(tree, "/^runtime\\./")).toMatchObject({ functionCount: 2, error: "" });
    expect(searchTree(tree, "/(/")).toMatchObject({
      functionCount: 0,
      error: "An opening bracket ( is not closed.",
    });
  });

  it("finds names that have one of several texts", () => {
    expect(searchTree(tree, "mallocgc | SERVE|")).toMatchObject({ functionCount: 2, values: [60] });
    expect(searchTree(tree, " | ").functionCount).toBe(0);
  });

  it("stops an expression that takes too long, in short steps, and says so", () => {
    let seed = 1;
    const letter = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % 2 === 0 ? "a" : "b";
    };
    const random = Array.from({ length: 200 }, () => Array.from({ length: 300 }, letter).join(""));
    const long = buildCallTree(stacksFrom(random.map((frame) => ({ frames: [frame], value: 1 }))), 0);
    const steps = [...searchSteps(long, "/[ab]*a[ab]{100}a[ab]{100}c/")];
    expect(steps.length).toBeGreaterThan(10);
    expect(searchTree(long, "/[ab]*a[ab]{100}a[ab]{100}c/").error).toBe(tooSlow);
  });

  it("treats special characters of expressions as text", () => {
    expect(searchTree(tree, "main.main").functionCount).toBe(1);
    expect(searchTree(tree, "n.m[(*+?^$/\\").functionCount).toBe(0);
    expect(searchTree(tree, "encoding/json.m").functionCount).toBe(1);
    expect(searchTree(tree, "main.m.*").functionCount).toBe(0);
  });

  it("finds the places of one function, which others may contain by name", () => {
    const some = buildCallTree(stacksOf("a;f;f 5\nb;f 3\nff 2"), 0);
    const found = searchFunction(some, some.functions.name.indexOf("f"));
    expect(found).toMatchObject({ functionCount: 1, frameCount: 3, values: [8] });
    expect([...matchesByWidth(some, found)].map((node) => some.total[node])).toEqual([5, 5, 3]);
    expect(searchFunction(some, -1)).toMatchObject({ functionCount: 0, frameCount: 0, values: [0] });
  });

  it("suggests the functions with the largest totals while somebody types", () => {
    const names = (query: string, limit = 2) =>
      suggestedFunctions(tree, functionTotals(tree), query, limit).map((fn) => tree.functions.name[fn]);
    expect(names("n")).toEqual(["main.main", "encoding/json.Marshal"]);
    expect(names("n", 9)).toEqual([
      "main.main",
      "encoding/json.Marshal",
      "net/http.serve",
      "encoding/json.encode",
      "runtime.mallocgc",
      "runtime.gc",
    ]);
    expect([names("gc | serve"), names("/n/"), names(""), names("root")]).toEqual([
      ["net/http.serve", "runtime.mallocgc"],
      [],
      [],
      [],
    ]);
  });

  it("finds nothing for no text, and never the root", () => {
    expect(searchTree(tree, "").frameCount).toBe(0);
    expect(searchTree(tree, "root").frameCount).toBe(0);
  });

  it("never finds more than the whole, and every match once", () => {
    let found = 0;
    fc.assert(
      fc.property(arbitraryStacks, fc.constantFrom("main", "e", "runtime", "/a|e/"), (stacks, query) => {
        const any = buildCallTree(stacks, 0);
        const result = searchTree(any, query);
        const walked = [...matchesByWidth(any, result)];
        expect(new Set(walked).size).toBe(result.frameCount);
        const widths = walked.map((node) => any.width[node]);
        expect(widths).toEqual(widths.toSorted((a, b) => b - a));
        if (any.width === any.total) expect(result.values[0]).toBeLessThanOrEqual(any.total[0]);
        found += walked.length;
      }),
    );
    expect(found).toBeGreaterThan(0);
  });

  it("takes many steps on a large tree, and finds the same nodes as one pass over all", () => {
    const large = buildCallTree(syntheticStacks({ stacks: 20_000, depth: 60, names: 5000 }), 0);
    expect(large.length).toBeGreaterThan(100_000);
    const isMatch = (fn: number) => large.functions.name[fn].includes("Method7");
    expect([...searchSteps(large, "Method7")].length).toBeGreaterThan(6);
    const marks = new Uint8Array(large.length);
    let [frameCount, value] = [0, 0];
    for (let node = 1; node < large.length; node++) {
      if (!isMatch(large.fn[node])) continue;
      frameCount++;
      let isOutermost = true;
      marks[node] = 1;
      for (let above = large.parent[node]; above >= 0; above = large.parent[above]) {
        marks[above] = 1;
        if (above > 0 && isMatch(large.fn[above])) isOutermost = false;
      }
      if (isOutermost) value += large.total[node];
    }
    const found = searchTree(large, "Method7");
    expect(found).toMatchObject({ frameCount, values: [value] });
    expect(Buffer.compare(found.marks, marks)).toBe(0);
    expect(frameCount).toBeGreaterThan(1000);
  });
});

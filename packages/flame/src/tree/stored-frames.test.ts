import { defaultLimits, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { describe, expect, it } from "vitest";
import { copyCount, suggestedFunctions, widerThanQuery } from "#view/search.ts";
import { pprofBytes, viewStacks } from "../export.ts";
import { drawTree, stacksOf } from "../testing/index.ts";
import { fullNames } from "../text/function-names.ts";
import { chainOf, transformTree } from "../transform.ts";
import { functionTotals } from "../tree/function-totals.ts";
import { searchTree } from "../view/search.ts";
import { functionNamed } from "../view/selected-function.ts";
import { decodeComparison } from "../wire/comparison-meta.ts";
import { decodeFlameGraph } from "../wire/decode.ts";
import { encodeFlameGraph } from "../wire/encode.ts";
import { buildCallTree, buildComparison } from "./build-call-tree.ts";
import type { CallTree } from "./call-tree.ts";
import { byInstantiation, byLine, byStoredFrame } from "./function-index.ts";
import { layOut } from "./lay-out.ts";

const readable: Readonly<Record<string, string>> = {
  _ZN4shop4Cart3addEi: "shop::Cart::add(int)",
  _ZN4shop4hash17h1111111111111111E: "shop::hash",
  _ZN4shop4hash17h2222222222222222E: "shop::hash",
};

function demangled(stacks: StackTable): StackTable {
  const storedName = stacks.frames.functionName;
  return {
    ...stacks,
    frames: { ...stacks.frames, storedName, functionName: storedName.map((name) => readable[name] ?? name) },
  };
}

const mangled = demangled(
  stacksOf(`
    main;_ZN4shop4Cart3addEi@cart.cc:12;_ZN4shop4hash17h1111111111111111E@hash.rs:3 30
    main;_ZN4shop4Cart3addEi@cart.cc:14;_ZN4shop4hash17h2222222222222222E@hash.rs:3 10`),
);

const generic = stacksOf(`
  main@main.go:5;slices.Sort[go.shape.int]@sort.go:20;slices.Sort[go.shape.string]@sort.go:21;cmp.Less@cmp.go:9 30
  main@main.go:6;slices.Sort[go.shape.string]@sort.go:20;cmp.Less@cmp.go:9 10
  main@main.go:6;other@main.go:9 2`);

describe("a generic function", () => {
  const whole = buildCallTree(generic, 0);
  const apart = buildCallTree(byInstantiation(generic), 0);
  const sort = whole.functions.name.indexOf("slices.Sort");

  it("is the sum of its copies, unless they are apart", () => {
    expect([sort, whole.functions.name.indexOf("main")].map((fn) => copyCount(whole.functions, fn))).toEqual([
      2, 1,
    ]);
    const copies = Array.from({ length: apart.functions.length }, (_, fn) => copyCount(apart.functions, fn));
    expect(Math.max(...copies)).toBe(1);
  });

  it.each([
    ["slices.Sort[go.shape.int]", true],
    ["slices.Sort[go.shape.", false],
    ["slices.Sort", false],
    ["main", false],
  ])("has more than a search for %s names: %s", (query, isWider) => {
    expect(widerThanQuery(whole.functions, searchTree(whole, query))).toBe(isWider ? sort : -1);
    expect(widerThanQuery(apart.functions, searchTree(apart, query))).toBe(-1);
  });
});

describe("a function whose stored name is another", () => {
  const tree = buildCallTree(mangled, 0);

  it("is found by its stored name, in search, suggestions, links and steps", () => {
    const add = tree.functions.name.indexOf("shop::Cart::add(int)");
    for (const query of ["_ZN4shop4Cart3addEi", "_ZN4shop4Cart", "/^_ZN.*addEi$/"]) {
      const { matches, values } = searchTree(tree, query);
      expect([query, matches[add], values]).toEqual([query, 1, [40]]);
    }
    expect(suggestedFunctions(tree, functionTotals(tree), "_ZN4shop4Cart", 5)).toEqual([add]);
    expect(functionNamed(tree, "_ZN4shop4Cart3addEi")).toBe(add);
    expect(drawTree(transformTree(tree, chainOf("hide:_ZN4shop4Cart3addEi")))).toBe(
      "root 0/40\n  main 0/40\n    shop::hash 40/40",
    );
  });

  it("is not found by a part that nobody sees", () => {
    for (const query of ["17h1111", "Ei", "/Ei$/"]) expect(searchTree(tree, query).functionCount).toBe(0);
    const sorted = buildCallTree(generic, 0);
    for (const query of ["int", "shape"]) expect(searchTree(sorted, query).functionCount).toBe(0);
  });

  it("is one function for all copies, and one for each by instantiation", () => {
    expect(drawTree(tree).match(/shop::hash/g)).toHaveLength(1);
    const copies = buildCallTree(byInstantiation(mangled), 0);
    expect(fullNames(copies.functions).filter((name) => name.startsWith("shop::hash"))).toEqual([
      "shop::hash (_ZN4shop4hash17h1111111111111111E)",
      "shop::hash (_ZN4shop4hash17h2222222222222222E)",
    ]);
    const { functionCount, values } = searchTree(copies, "_ZN4shop4hash17h2222222222222222E");
    expect([functionCount, values]).toEqual([1, [10]]);
  });

  it("finds copies of generic functions of Go by their whole names, also where they are one", () => {
    const query = "slices.Sort[go.shape.string]";
    expect(searchTree(buildCallTree(byInstantiation(generic), 0), query)).toMatchObject({
      functionCount: 1,
      values: [40],
    });
    const short = buildCallTree(generic, 0);
    expect(short.functions.name[functionNamed(short, query)]).toBe("slices.Sort");
    expect(searchTree(short, query)).toMatchObject({ functionCount: 1, values: [40] });
  });

  it("is the same after it was sent", () => {
    const meta = { profileId: "p", totalSamples: 40, durationMs: 0, profileHash: "h" };
    for (const stacks of [mangled, byLine(mangled), byStoredFrame(mangled, mangled)]) {
      const built = buildCallTree(stacks, 0);
      expect(decodeFlameGraph(encodeFlameGraph(built, meta)).tree).toEqual(built);
      const comparison = compared(stacks);
      const { functions } = decodeComparison(encodeFlameGraph(comparison, comparedMeta)).tree;
      expect(functions).toEqual(comparison.functions);
    }
  });
});

const side = {
  profileId: null,
  service: "shop",
  from: "2026-11-20T10:00:00.000Z",
  to: "2026-11-20T11:00:00.000Z",
  tags: {},
  profiles: 1,
  durationMs: 1,
  total: 40,
};
const comparedMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: ["samples/count"],
  aggregation: "sum" as const,
  before: side,
  after: side,
  normalisations: [{ per: "profile" as const, before: 1, after: 1 }] as const,
  noRequests: null,
};

/** Twice the values on the later side. */
function compared(stacks: StackTable) {
  const [values] = stacks.values;
  const type = stacks.sampleTypes[0]!;
  const after = Float64Array.from(values as Float64Array, (value) => 2 * value);
  return buildComparison({ ...stacks, sampleTypes: [type, type], values: [values!, after] });
}

describe("a profile of a view", () => {
  /** `name (stored name) file:line` of each stack, root first. */
  function exported(view: Parameters<typeof viewStacks>[0], stored: CallTree): string[] {
    const read = readProfile(pprofBytes(viewStacks(view, stored)!, "view"), defaultLimits);
    if (!read.ok) throw new Error(read.error.message);
    const { profile } = read;
    const { functions, strings, locations } = profile;
    const stacks = sumStacks(profile);
    const names = Array.from(locations.lineFunction, (fn, at) => {
      const [name, system] = [strings[functions.name[fn]!], strings[functions.systemName[fn]!]];
      return `${name}${name === system ? "" : ` (${system})`}:${locations.line[at]}`;
    });
    expect(stacks.length).toBe(profile.samples.length);
    return Array.from({ length: stacks.length }, (_, at) => {
      const { locationStart, location, values } = profile.samples;
      const path = location.subarray(locationStart[at], locationStart[at + 1]);
      const numbers = values.map((column) => column[at]).join("/");
      return `${Array.from(path, (frame) => names[frame])
        .reverse()
        .join(";")} ${numbers}`;
    }).sort();
  }

  const whole = (stacks: StackTable) => {
    const tree = buildCallTree(stacks, 0);
    return { view: { tree, focus: 0, zoom: 0 }, stored: buildCallTree(byStoredFrame(stacks, stacks), 0) };
  };

  it("has whole names, stored names and lines", () => {
    const { view, stored } = whole(mangled);
    expect(exported(view, stored)).toEqual([
      "main:0;shop::Cart::add(int) (_ZN4shop4Cart3addEi):12;shop::hash (_ZN4shop4hash17h1111111111111111E):3 30",
      "main:0;shop::Cart::add(int) (_ZN4shop4Cart3addEi):14;shop::hash (_ZN4shop4hash17h2222222222222222E):3 10",
    ]);
    const sorted = whole(generic);
    expect(exported(sorted.view, sorted.stored)).toEqual([
      "main:5;slices.Sort[go.shape.int]:20;slices.Sort[go.shape.string]:21;cmp.Less:9 30",
      "main:6;other:9 2",
      "main:6;slices.Sort[go.shape.string]:20;cmp.Less:9 10",
    ]);
  });

  it.each([
    ["by function", generic],
    ["by instantiation", byInstantiation(generic)],
  ])("has only the stacks through the zoomed frame, from the focused one on, %s", (_, grouped) => {
    const tree = buildCallTree(grouped, 0);
    const stored = buildCallTree(byStoredFrame(grouped, generic), 0);
    const zoom = tree.fn.indexOf(tree.functions.name.findIndex((name) => name.startsWith("slices.Sort")));
    const lines = exported({ tree, focus: zoom, zoom }, stored);
    expect(lines[0]).toBe("slices.Sort[go.shape.int]:20;slices.Sort[go.shape.string]:21;cmp.Less:9 30");
    expect(lines).toHaveLength(tree.functions.name.includes("slices.Sort") ? 2 : 1);
  });

  it("has the steps of the view", () => {
    const { view, stored } = whole(generic);
    const after = (text: string) => {
      const chain = chainOf(text);
      return exported({ ...view, tree: transformTree(view.tree, chain) }, transformTree(stored, chain));
    };
    expect(after("collapse")).toEqual([
      "main:5;slices.Sort[go.shape.int]:20;cmp.Less:9 30",
      "main:6;other:9 2",
      "main:6;slices.Sort[go.shape.string]:20;cmp.Less:9 10",
    ]);
    expect(after("hide:slices.Sort;focus:cmp.Less")).toEqual([
      "main:5;cmp.Less:9 30",
      "main:6;cmp.Less:9 10",
    ]);
  });

  it("has both sides of a comparison", () => {
    const drawn = layOut(transformTree(compared(generic), chainOf("focus:cmp.Less")), [1, 1]);
    const stored = compared(byStoredFrame(generic, generic));
    const after = layOut(transformTree(stored, chainOf("focus:cmp.Less")), [1, 1]);
    expect(exported({ tree: drawn, focus: 0, zoom: 0 }, after)).toEqual([
      "main:5;slices.Sort[go.shape.int]:20;slices.Sort[go.shape.string]:21;cmp.Less:9 30/60",
      "main:6;slices.Sort[go.shape.string]:20;cmp.Less:9 10/20",
    ]);
  });
});

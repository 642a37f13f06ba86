import { describe, expect, it } from "vitest";
import { functions } from "./match.ts";
import type { Selection } from "./selection.ts";
import { cpuSubject } from "./testing/subject-of-picture.ts";

const json = functions("encoding/json.*");
const names = ({ callers }: Selection) => callers.map(({ name }) => name);
const samples = ({ count }: Selection) => count;

describe("functions", () => {
  it("matches names, their literals and prefixes, and nothing longer", () => {
    const match = functions("regexp.Compile", "encoding/json.*");
    expect(["regexp.Compile", "regexp.Compile.func1", "encoding/json.Marshal"].every(match)).toBe(true);
    expect(["regexp.CompilePOSIX", "encoding/jsonx.Marshal", "regexp"].some(match)).toBe(false);
  });
});

describe("stacks selected by their functions", () => {
  const { main } = cpuSubject(`
    shop.serve               shop.serve               net/http.(*conn).serve
    encoding/json.Marshal    encoding/json.Marshal    encoding/json.Marshal
    encoding/json.Marshal    shop.(*item).MarshalJSON
    30                       10                       5`);

  it("calls() counts a library only below the application function nearest to the leaf", () => {
    const selection = main.calls(json);
    expect(samples(selection)).toBe(35);
    expect(names(selection)).toEqual(["shop.serve"]);
  });

  it("through() counts all that a library runs, and once where it recurses", () => {
    expect(samples(main.through(json))).toBe(45);
    expect(names(main.throughOutermost(json))).toEqual(["shop.serve"]);
  });
});

describe("direct calls", () => {
  it("leave out what libraries call", () => {
    const { main } = cpuSubject(`
      shop.words            shop.words
      runtime.growslice     strings.Fields
      runtime.mallocgc      runtime.growslice
      20                    30`);
    const growing = functions("runtime.growslice");
    expect(samples(main.directCalls(growing))).toBe(20);
    expect(samples(main.calls(growing))).toBe(50);
  });
});

describe("a selection", () => {
  const { main } = cpuSubject(`
    shop.serve            shop.serve            shop.serve            shop.serve
    shop.list@/l.go:3     shop.list@/l.go:8     shop.page@/p.go:5     shop.sum
    encoding/json.Marshal encoding/json.Marshal encoding/json.Marshal
    10                    20                    15                    55`);
  const selection = main.calls(json);

  it("lists the application functions that cause it, heaviest first, each with its heaviest line", () => {
    expect(selection.callers.map(({ name, weight }) => [name, weight / 1e7])).toEqual([
      ["shop.list", 30],
      ["shop.page", 15],
    ]);
    expect(selection.evidence.map(({ name, line }) => [name, line])).toEqual([
      ["shop.list", 8],
      ["shop.page", 5],
      ["shop.serve", 0],
      ["encoding/json.Marshal", 0],
    ]);
    expect(selection.share).toBeCloseTo(0.45, 9);
  });

  it("has the path of the heaviest stack of its first caller", () => {
    expect(selection.path).toEqual(["shop.serve", "shop.list", "encoding/json.Marshal"]);
  });

  it("can be narrowed, and attributed to the functions above", () => {
    const page = functions("shop.page");
    expect(samples(selection.and(page))).toBe(15);
    expect(samples(selection.without(page))).toBe(30);
    expect(names(selection.above(functions("shop.list")))).toEqual(["shop.serve", "shop.page"]);
  });
});

describe("the code of the application", () => {
  it("is that of libraries if a profile has no other", () => {
    const { main } = cpuSubject(`
      github.com/acme/lib.Run
      encoding/json.Marshal
      20                     `);
    expect(names(main.calls(json))).toEqual(["github.com/acme/lib.Run"]);
  });

  it("is one function for all copies of a generic one", () => {
    const { main } = cpuSubject(`
      shop.Map[go.shape.int]   shop.Map[go.shape.string]
      encoding/json.Marshal    encoding/json.Marshal
      20                       30`);
    expect(main.calls(json).callers).toMatchObject([{ name: "shop.Map", share: 1 }]);
  });

  it("includes loops over iterators as part of their function, and no literals of libraries that are inlined into it", () => {
    const { main } = cpuSubject(`
      shop.serve@/a/shop/s.go:1
      shop.parse@/a/shop/p.go:7
      shop.parse.SplitSeq.splitSeq.func1@strings/iter.go:60
      shop.parse.shop.parse.SplitSeq.splitSeq.func1.parse-range1@/a/shop/p.go:8
      encoding/json.Marshal
      20                     `);
    expect(main.calls(json).evidence.map(({ name, line }) => [name, line])).toEqual([
      ["shop.parse", 8],
      ["shop.serve", 1],
      ["encoding/json.Marshal", 0],
    ]);
  });

  it("does not include the program's start", () => {
    const { main } = cpuSubject(`
      runtime.doInit1        shop.serve
      shop.init              encoding/json.Marshal
      encoding/json.Marshal
      20                     30`);
    expect(samples(main.calls(json))).toBe(30);
  });
});

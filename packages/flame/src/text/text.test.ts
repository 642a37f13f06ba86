import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPercent, formatValue } from "./format-value.ts";
import { fullNames, functionNames } from "./function-names.ts";
import { fitLabel, labelLength, pathlessName, shortFunctionName, shownName } from "./label.ts";

const withoutFiles = (name: readonly string[]) => ({
  name,
  file: name.map(() => ""),
  startLine: new Int32Array(name.length),
});

describe("labels", () => {
  it("name functions without the path of their package", () => {
    const names = [
      "github.com/acme/shop/cart.(*Cart).Add",
      "slices.SortFunc[go.shape.[]example.com/x.T]",
      "example.com/a/set.New[go.shape.[]example.com/x.T]",
      "main",
      "handle /app/server.js:12",
      "net/http/",
      "",
    ];
    expect(names.map(pathlessName)).toEqual([
      "cart.(*Cart).Add",
      "slices.SortFunc[go.shape.[]example.com/x.T]",
      "set.New[go.shape.[]example.com/x.T]",
      "main",
      "handle /app/server.js:12",
      "net/http/",
      "",
    ]);
  });

  it("name a function outside of a graph as the graph does, without hidden characters", () => {
    const names = ["handle (file:///app/x.js:3)", "a/b.Map[go.shape.c/d.T]", "x/\u202ey.f"];
    expect(names.map(shortFunctionName)).toEqual([
      "handle (file:///app/x.js:3)",
      "b.Map[go.shape.c/d.T]",
      "\ufffdy.f",
    ]);
    expect(names.map(shortFunctionName)).toEqual(functionNames(withoutFiles(names)));
  });

  it("keep the path where two functions would have the same name", () => {
    const name = ["root", "a/log.Print", "b/log.Print", "a/json.Marshal", "x\u202e/y.f"];
    const table = withoutFiles(name);
    const names = functionNames(table);
    expect(names).toEqual(["root", "a/log.Print", "b/log.Print", "json.Marshal", "y.f"]);
    expect(functionNames(table)).toBe(names);
  });

  it("have the shortest end of the file that tells two functions of one name apart", () => {
    const rows = [
      ["handler", "/app/src/api/cart.js", 3],
      ["handler", "/app/src/web/cart.js", 3],
      ["handler", "/app/src/order.js", 3],
      ["(anonymous)", "/app/a.js", 4],
      ["(anonymous)", "/app/a.js", 9],
      ["a/log.Print", "x.js", 1],
      ["b/log.Print", "x.js", 1],
    ] as const;
    const table = {
      name: rows.map(([name]) => name),
      file: rows.map(([, file]) => file),
      startLine: Int32Array.from(rows, ([, , line]) => line),
    };
    expect(functionNames(table)).toEqual([
      "handler (api/cart.js)",
      "handler (web/cart.js)",
      "handler (order.js)",
      "(anonymous) (a.js:4)",
      "(anonymous) (a.js:9)",
      "a/log.Print",
      "b/log.Print",
    ]);
    expect(fullNames(table)).toEqual(functionNames(table));
  });

  it("give every function another name, if its own is", () => {
    const part = fc.constantFrom("a", "b", "a/b", "c.(*T).f", "/", "(x/y)", "[a/b]");
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.array(part, { minLength: 1 }).map((parts) => parts.join("")),
          { minLength: 1 },
        ),
        (name) => {
          expect(new Set(functionNames(withoutFiles(name))).size).toBe(name.length);
        },
      ),
    );
  });

  it("lose their type arguments first, then their beginning", () => {
    const fit = (name: string) => [22, 18, 13, 6, 2, 1].map((length) => fitLabel(name, length));
    expect(fit("http.(*conn).serve")).toEqual([
      "http.(*conn).serve",
      "http.(*conn).serve",
      "…*conn).serve",
      "…serve",
      "…e",
      "",
    ]);
    expect(fitLabel("slices.SortFunc[go.shape.[]example.com/x.T]", 20)).toBe("slices.SortFunc[…]");
    expect(fitLabel("slices.Sort[go.shape.int].func1", 11)).toBe("…t[…].func1");
  });

  it("keep the name of a function before its place, and the beginning of a plain name", () => {
    const fit = (name: string, lengths: readonly number[]) => lengths.map((length) => fitLabel(name, length));
    expect(fit("structuredClone (js_transferable)", [33, 24, 16, 15, 8, 1])).toEqual([
      "structuredClone (js_transferable)",
      "structuredClone (js_tra…",
      "structuredClone…",
      "structuredClone",
      "structu…",
      "",
    ]);
    expect(fit("(anonymous) (a.js:4)", [14, 12])).toEqual(["(anonymous) (…", "(anonymous)…"]);
    expect(fit("main.(*Shop).init (cart.go)", [20, 10])).toEqual(["main.(*Shop).init (…", "…hop).init"]);
  });

  it("never split a character and never exceed the length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(40), (name, length) => {
        const label = fitLabel(name, length);
        expect(label.length).toBeLessThanOrEqual(Math.max(length, 0));
        expect(label.isWellFormed()).toBe(true);
      }),
    );
  });

  it("fit boxes from 24 pixels on with 6 pixels a character", () => {
    expect([23, 24, 68, 600].map(labelLength)).toEqual([0, 2, 10, 98]);
  });

  it("replace control and direction characters visibly", () => {
    expect(shownName("a\u0000b\u202ec\u0085")).toBe("a\ufffdb\ufffdc\ufffd");
  });
});

describe("formatValue", () => {
  it.each([
    [12_345_678, "nanoseconds", "12.3 ms"],
    [1_500_000_000, "nanoseconds", "1.5 s"],
    [999_000_000, "nanoseconds", "999 ms"],
    [85_000, "nanoseconds", "85 µs"],
    [12, "nanoseconds", "12 ns"],
    [1500, "microseconds", "1.5 ms"],
    [90, "seconds", "90 s"],
    [512, "bytes", "512 B"],
    [1536, "bytes", "1.5 KB"],
    [5 * 2 ** 30, "bytes", "5 GB"],
    [999, "count", "999"],
    [1234, "count", "1.2K"],
    [2_500_000, "count", "2.5M"],
    [-2048, "bytes", "−2 KB"],
    [0, "count", "0"],
    [999_960, "count", "1M"],
    [7, "widgets", "7 widgets"],
  ])("%d %s is %s", (value, unit, text) => {
    expect(formatValue(value, unit)).toBe(text);
  });

  it("shows shares with one decimal, and small ones never as zero", () => {
    expect([formatPercent(1, 3), formatPercent(1, 1e6), formatPercent(0, 5), formatPercent(1, 0)]).toEqual([
      "33.3%",
      "<0.1%",
      "0.0%",
      "0.0%",
    ]);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compared, drawTree, stacksOf, syntheticStacks } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { type CallTree, wholeOf } from "../tree/call-tree.ts";
import { layOut } from "../tree/lay-out.ts";
import { pruneTree } from "../tree/prune.ts";
import { sandwichTree, transformTree } from "./apply.ts";
import { chainOf, chainText, withoutTransform, withTransform } from "./chain.ts";
import { CallerTree } from "./engine/caller-tree.ts";
import { climb } from "./engine/climb.ts";
import { isComplete } from "./table.ts";
import { moduleOf } from "./target.ts";
import { type Transform, targetKinds, transformNames } from "./transform.ts";

const shop = `
  main.main@/src/shop/main.go:3;shop/cart.Add@/src/shop/cart.go:9;encoding/json.Marshal@/go/src/encoding/json/encode.go:1;runtime.mallocgc@/go/src/runtime/malloc.go:1 30
  main.main@/src/shop/main.go:3;shop/cart.Add@/src/shop/cart.go:9;encoding/json.Marshal@/go/src/encoding/json/encode.go:1 20
  main.main@/src/shop/main.go:3;shop/cart.Walk@/src/shop/cart.go:20;shop/cart.Walk@/src/shop/cart.go:20;shop/cart.Item@/src/shop/cart.go:30;shop/cart.Walk@/src/shop/cart.go:20 25
  main.main@/src/shop/main.go:4;encoding/json.Marshal@/go/src/encoding/json/encode.go:1 15
  runtime.gcBgMarkWorker@/go/src/runtime/mgc.go:1 10`;

const tree = buildCallTree(stacksOf(shop), 0);
const folded = (text: string, of: CallTree = tree) =>
  [...foldedLines(transformTree(of, chainOf(text)))].join("").trim();

describe("golden folded text", () => {
  it.each([
    [
      "hide-runtime",
      `main.main;shop/cart.Add;encoding/json.Marshal 50
main.main;shop/cart.Walk;shop/cart.Walk;shop/cart.Item;shop/cart.Walk 25
main.main;encoding/json.Marshal 15`,
    ],
    [
      "my-code",
      `main.main 15
main.main;shop/cart.Add 50
main.main;shop/cart.Walk;shop/cart.Walk;shop/cart.Item;shop/cart.Walk 25`,
    ],
    [
      "show-module:shop",
      `shop/cart.Add 50
shop/cart.Walk;shop/cart.Walk;shop/cart.Item;shop/cart.Walk 25`,
    ],
    [
      "collapse",
      `main.main;shop/cart.Add;encoding/json.Marshal 20
main.main;shop/cart.Add;encoding/json.Marshal;runtime.mallocgc 30
main.main;shop/cart.Walk;shop/cart.Item;shop/cart.Walk 25
main.main;encoding/json.Marshal 15
runtime.gcBgMarkWorker 10`,
    ],
    [
      "collapse:shop/cart.Walk;ignore:encoding/json.Marshal",
      `main.main;shop/cart.Walk 25
runtime.gcBgMarkWorker 10`,
    ],
    [
      "focus:encoding/json.Marshal;hide-package:shop",
      `main.main;encoding/json.Marshal 35
main.main;encoding/json.Marshal;runtime.mallocgc 30`,
    ],
    [
      "focus:encoding/json.Marshal;invert",
      `encoding/json.Marshal;shop/cart.Add;main.main 20
encoding/json.Marshal;main.main 15
runtime.mallocgc;encoding/json.Marshal;shop/cart.Add;main.main 30`,
    ],
  ])("%s", (text, expected) => {
    expect(folded(text)).toBe(expected);
  });

  it("of a comparison, both values", () => {
    const comparison = compared(
      "main;serve;encode 30\nmain;gc 10",
      "main;serve;encode 20\nmain;serve;parse 40",
    );
    const lines = (text: string) =>
      [...foldedLines(layOut(transformTree(comparison, chainOf(text)), [1, 1]))].join("");
    expect(lines("hide:serve")).toBe("main;parse 0 40\nmain;encode 30 20\nmain;gc 10 0\n");
    expect(lines("invert;hide:main")).toBe("parse;serve 0 40\nencode;serve 30 20\ngc 10 0\n");
  });
});

describe("a transformed tree", () => {
  it("has shares of the whole that it is a part of", () => {
    expect(wholeOf(transformTree(tree, chainOf("focus:shop/cart.Walk")))).toBe(100);
    expect(wholeOf(transformTree(tree, chainOf("focus:shop/cart.Walk;invert")))).toBe(100);
  });

  it("has a line where all frames that came together agree on it", () => {
    const lineOf = (text: string, name: string) => {
      const { fn, line, functions } = transformTree(tree, chainOf(text));
      return line[fn.indexOf(functions.name.indexOf(name))];
    };
    expect(lineOf("show-module:main", "main.main")).toBe(0);
    expect(lineOf("hide:main.main", "shop/cart.Add")).toBe(9);
    expect(lineOf("invert", "encoding/json.Marshal")).toBe(1);
  });

  it("keeps the sign of stacks without their outermost frames", () => {
    const truncated = buildCallTree(
      stacksOf("[truncated];main.visit;main.leaf 5\nmain.main;main.visit 3"),
      0,
    );
    expect(folded("show:main.visit", truncated)).toBe("[truncated];main.visit 5\nmain.visit 3");
  });

  it("has no frames where none are left, and the values at the root", () => {
    expect(drawTree(transformTree(tree, chainOf("show:nothing")))).toBe("root 100/100");
    expect(drawTree(transformTree(tree, chainOf("focus:nothing")))).toBe("root 0/0");
    expect(drawTree(sandwichTree(tree, { by: "function", text: "nothing" }).callers)).toBe("root 0/0");
  });

  it("draws a sandwich of a recursive function once", () => {
    const { callers, callees } = sandwichTree(tree, { by: "function", text: "shop/cart.Walk" });
    expect(drawTree(callers)).toBe("root 0/25\n  shop/cart.Walk 0/25\n    main.main 25/25");
    expect(drawTree(callees)).toBe(
      "root 0/25\n  shop/cart.Walk 0/25\n    shop/cart.Walk 0/25\n      shop/cart.Item 0/25\n        shop/cart.Walk 25/25",
    );
  });
});

describe("the tree of callers", () => {
  const big = buildCallTree(syntheticStacks({ stacks: 800, depth: 30, names: 300 }), 0);
  const starts = {
    nodes: Uint32Array.from({ length: big.length }, (_, node) => node),
    values: [big.self],
    width: big.self,
  };
  const frames = {
    ...big,
    self: [big.self],
    selfWidth: big.self,
    elisions: { ...big.elisions, values: [big.elisions.total] },
  };

  it("has the widest frames where not all fit, and counts the others", () => {
    const all = climb(frames, starts, undefined, 1 << 20);
    const some = climb(frames, starts, undefined, 2000);
    expect(all.elisions.length).toBe(0);
    expect(some.length).toBeLessThanOrEqual(2000);
    expect(some.length).toBeGreaterThan(1000);
    const values = (of: typeof some) =>
      of.self[0]!.reduce((sum, value) => sum + value, 0) +
      of.elisions.values[0]!.reduce((sum, value) => sum + value, 0);
    expect(values(some)).toBe(big.total[0]);
    expect(values(all)).toBe(big.total[0]);
    const frameCount = some.length + some.elisions.count.reduce((sum, count) => sum + count, 0);
    expect(frameCount).toBeGreaterThanOrEqual(all.length);
  });

  it("takes frames in the order of their widths", () => {
    const tree = new CallerTree(frames, starts, 2000);
    tree.grow();
    const narrowestTaken = Math.min(...tree.parent.subarray(1, tree.length).map((at) => tree.width[at]!));
    const incomplete = [...tree.elided.hasElided.keys()].filter((at) => tree.elided.hasElided[at] === 1);
    expect(incomplete.length).toBeGreaterThan(100);
    expect(Math.max(...incomplete.map((at) => tree.width[at]!))).toBeLessThanOrEqual(narrowestTaken * 1.1);
  });

  it("keeps what the server left out at the root", () => {
    const pruned = pruneTree(big, { maxNodes: 500 });
    const inverted = transformTree(pruned, chainOf("invert"));
    expect(inverted.elisions.node[0]).toBe(0);
    expect(inverted.elisions.total[0]).toBe(pruned.elisions.total.reduce((sum, value) => sum + value, 0));
    expect(inverted.total[0]).toBe(big.total[0]);
  });
});

const arbitraryTransform = fc
  .record({
    name: fc.constantFrom(...transformNames),
    target: fc.option(fc.record({ by: fc.constantFrom(...targetKinds), text: fc.string({ minLength: 1 }) }), {
      nil: undefined,
    }),
  })
  .filter(({ name, target }) => isComplete(name, target))
  .map(({ name, target }): Transform => (target === undefined ? { name } : { name, target }));

describe("a chain", () => {
  it("round-trips as text", () => {
    fc.assert(
      fc.property(fc.array(arbitraryTransform, { maxLength: 6 }), (chain) => {
        expect(chainOf(chainText(chain))).toEqual(chain);
      }),
    );
  });

  it("is read as far as it can be", () => {
    expect(
      chainOf(
        "focus;hide:a;nonsense;constructor;sandwich-package:x;collapse-module:y;invert:z;hide-package;;my-code",
      ),
    ).toEqual([{ name: "hide", target: { by: "function", text: "a" } }, { name: "my-code" }]);
    expect(chainOf(Array(100).fill("invert").join(";")).length).toBe(32);
    expect(chainOf("")).toEqual([]);
  });

  it("has one direction, and no step twice in a row", () => {
    const [hide, one, other] = chainOf("hide:a;sandwich:b;sandwich:c");
    expect(chainText(withTransform([hide!, one!], other!))).toBe("hide:a;sandwich:c");
    expect(chainText(withTransform([hide!, { name: "invert" }], one!))).toBe("hide:a;sandwich:b");
    expect(chainText(withTransform([one!, hide!], { name: "invert" }))).toBe("hide:a;invert");
    expect(withTransform([hide!], hide!)).toEqual([hide]);
    expect(chainText(withoutTransform([hide!, one!], 0))).toBe("sandwich:b");
  });
});

describe("the module of a package", () => {
  it.each([
    ["github.com/acme/shop/cart", "", "github.com/acme/shop"],
    ["github.com/jackc/pgx/v5/pgconn", "", "github.com/jackc/pgx/v5"],
    ["go.uber.org/zap/zapcore", "", "go.uber.org/zap"],
    [
      "github.com/BurntSushi/toml/internal",
      "/go/pkg/mod/github.com/!burnt!sushi/toml@v1.2.0/x.go",
      "github.com/BurntSushi/toml",
    ],
    [
      "cloud.google.com/go/storage/internal",
      "/go/pkg/mod/cloud.google.com/go/storage@v1.0.0/x.go",
      "cloud.google.com/go/storage",
    ],
    ["main", "/src/main.go", "main"],
    ["shop/cart", "/src/cart.go", "shop"],
    ["./src/api", "/app/src/api/cart.js", "./src"],
    ["node_modules/@acme/cart", "/app/node_modules/@acme/cart/index.js", "node_modules/@acme/cart"],
    ["net/http", "/usr/local/go/src/net/http/server.go", ""],
    ["", "", ""],
  ])("of %s in %s is %s", (packageName, file, expected) => {
    expect(moduleOf(packageName, file)).toBe(expected);
  });
});

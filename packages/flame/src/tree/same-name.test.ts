import { describe, expect, it } from "vitest";
import { compared, drawTree, stacksOf } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { transformTree } from "../transform.ts";
import { functionNamed, functionRef } from "../view/selected-function.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { byLine } from "./function-index.ts";
import { changeKind, totalsByColumn } from "./function-totals.ts";

const stacks = stacksOf(`
  main@main.js:1;handler@a.js:10 900
  main@main.js:1;handler@b.js:10 100`);

describe("functions of one name in two files", () => {
  it.each([
    ["by function", stacks],
    ["by line", byLine(stacks)],
  ])("are two frames, each with its file, %s", (_, table) => {
    const tree = buildCallTree(table, 0);
    expect(Array.from(tree.fn, (fn) => [tree.functions.file[fn], tree.functions.name[fn]]).slice(2)).toEqual([
      ["a.js", tree.functions.name[2]],
      ["b.js", tree.functions.name[2]],
    ]);
    expect([...tree.total]).toEqual([1000, 1000, 900, 100]);
  });

  it("are told apart in text, in links and in transforms", () => {
    const tree = buildCallTree(stacks, 0);
    expect([...foldedLines(tree)]).toEqual(["main;handler (a.js) 900\n", "main;handler (b.js) 100\n"]);
    const second = tree.fn[3]!;
    const ref = functionRef(tree.functions, second);
    expect([ref, functionNamed(tree, ref)]).toEqual(["handler (b.js)", second]);
    expect(functionNamed(tree, "handler")).toBe(tree.fn[2]);
    // As analyses and alerts refer to them: by their paths on the host.
    for (const file of ["b.js", "/app/b.js"]) expect(functionNamed(tree, `handler (${file})`)).toBe(second);
    expect(functionNamed(tree, "handler (gone.js)")).toBe(tree.fn[2]);
    expect(functionNamed(tree, "other (b.js)")).toBe(-1);
    const hide = (text: string) => transformTree(tree, [{ name: "hide", target: { by: "function", text } }]);
    expect(drawTree(hide(ref))).toBe("root 0/1000\n  main 100/1000\n    handler 900/900");
    expect(drawTree(hide("handler"))).toBe("root 0/1000\n  main 1000/1000");
  });

  it("are in an order that does not depend on that of the stacks", () => {
    const order = (...rows: string[]) => {
      const tree = buildCallTree(stacksOf(rows.join("\n")), 0);
      return Array.from(tree.fn.subarray(1), (fn) => tree.functions.file[fn]);
    };
    expect(order("run@b.js:1 5", "run@a.js:1 5")).toEqual(["a.js", "b.js"]);
    expect(order("run@a.js:1 5", "run@b.js:1 5")).toEqual(["a.js", "b.js"]);
  });
});

describe("two builds in different folders", () => {
  const kinds = (before: string, after: string) => {
    const tree = compared(before, after);
    const [left, right] = totalsByColumn(tree);
    return tree.functions.name
      .map((name, fn) => `${name} ${tree.functions.file[fn]} ${changeKind(left.total[fn], right.total[fn])}`)
      .filter((_, fn) => fn > 0 && left.frames[fn] > 0)
      .sort();
  };

  it("have the same Python functions", () => {
    const release = (folder: string, self: number) => `
      <module>@${folder}/shop/app.py:1;__init__@${folder}/shop/cart.py:9 ${self}
      <module>@${folder}/shop/app.py:1;__init__@${folder}/shop/order.py:4;dumps@${folder}/lib/python3.12/json/__init__.py:2 5`;
    const changed = kinds(release("/srv/shop-1.4", 10), release("/opt/releases/shop-1.5", 30));
    expect(changed).toEqual([
      "<module> /opt/releases/shop-1.5/shop/app.py more",
      "__init__ /opt/releases/shop-1.5/shop/cart.py more",
      "__init__ /opt/releases/shop-1.5/shop/order.py same",
      "dumps /opt/releases/shop-1.5/lib/python3.12/json/__init__.py same".replace(
        "/opt/releases/shop-1.5",
        "/srv/shop-1.4",
      ),
    ]);
  });

  it("have the same Go functions", () => {
    const build = (folder: string) => `
      main.main@${folder}/main.go:1;shop/cart.Add@${folder}/cart.go:9;memeqbody@${folder}/go/src/equal_amd64.s:2 5`;
    expect(kinds(build("/build/1"), build("/home/me/shop"))).toEqual([
      "main.main /build/1/main.go same",
      "memeqbody /build/1/go/src/equal_amd64.s same",
      "shop/cart.Add /build/1/cart.go same",
    ]);
  });

  it("keep statics of C apart, which have the name only in common", () => {
    const text = (folder: string) => `
      main@${folder}/main.c:1;hash@${folder}/cart.c:9 5
      main@${folder}/main.c:1;hash@${folder}/order.c:9 3`;
    expect(kinds(text("/a/b"), text("/c/d"))).toEqual([
      "hash /c/d/cart.c same",
      "hash /c/d/order.c same",
      "main /c/d/main.c same",
    ]);
  });
});

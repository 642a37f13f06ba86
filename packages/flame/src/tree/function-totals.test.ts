import { describe, expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import {
  functionTotals,
  hottestFunction,
  packageSelfValues,
  packageTotals,
  sortedFunctions,
} from "./function-totals.ts";

const tree = buildCallTree(stacksOf("main;f;g;f 3\nmain;f;g 2\nmain;h;f 4\nidle 1"), 0);

function rows(root = 0, value: "name" | "self" | "total", isDescending: boolean) {
  const totals = functionTotals(tree, root);
  return Array.from(
    sortedFunctions(tree, [totals], value === "name" ? value : { value, of: 0 }, isDescending),
    (fn) => `${tree.functions.name[fn]} ${totals.self[fn]}/${totals.total[fn]} in ${totals.frames[fn]}`,
  );
}

describe("functionTotals", () => {
  it("counts recursion once", () => {
    expect(rows(0, "total", true)).toEqual([
      "f 7/9 in 3",
      "main 0/9 in 1",
      "g 2/5 in 1",
      "h 0/4 in 1",
      "idle 1/1 in 1",
    ]);
  });

  it("sums a subtree alone", () => {
    const main = 1;
    const f = tree.firstChild[main];
    expect(rows(f, "self", true)).toEqual(["f 3/5 in 2", "g 2/5 in 1"]);
  });

  it("sorts by any column both ways, equal values by name", () => {
    expect(rows(0, "name", false).map((row) => row.split(" ")[0])).toEqual(["f", "g", "h", "idle", "main"]);
    expect(rows(0, "self", false).map((row) => row.split(" ")[0])).toEqual(["h", "main", "idle", "g", "f"]);
  });
});

describe("hottestFunction", () => {
  it("is the one with the largest self value outside of the runtime", () => {
    const graph = buildCallTree(stacksOf("main.run;a/b.F 3\nmain.run;runtime.futex 9\na/b.F 1\nc.G 2"), 0);
    const { fn, self } = hottestFunction(graph);
    expect([graph.functions.name[fn], self]).toEqual(["a/b.F", 4]);
  });

  it("is no work of V8 itself, and may be a regular expression", () => {
    const graph = buildCallTree(stacksOf("(garbage collector) 9\nRegExp: ^(a+)+$ 5\nhandle 2"), 0);
    const { fn, self } = hottestFunction(graph);
    expect([graph.functions.name[fn], self]).toEqual(["RegExp: ^(a+)+$", 5]);
  });

  it("is none where everything waits", () => {
    expect(hottestFunction(buildCallTree(stacksOf("main.run;runtime.gopark 3"), 0)).fn).toBe(-1);
  });
});

describe("packageSelfValues", () => {
  it("sums self values by package, the largest first", () => {
    const packages = buildCallTree(stacksOf("main.main;a/x.F 3\nmain.main;b.G;a/x.H 2\nidle 9"), 0);
    expect(packageSelfValues(packages, functionTotals(packages))).toEqual([
      { packageName: "a/x", self: 5 },
      { packageName: "b", self: 0 },
      { packageName: "main", self: 0 },
    ]);
  });
});

describe("packageTotals", () => {
  it("counts a package once in a stack, the one with most first", () => {
    const packages = buildCallTree(stacksOf("main.main;a/x.F;b.G;a/x.H 5\nmain.main;b.G 2\nidle 9"), 0);
    expect(packageTotals(packages)).toEqual([
      { packageName: "", total: 9 },
      { packageName: "b", total: 7 },
      { packageName: "main", total: 7 },
      { packageName: "a/x", total: 5 },
    ]);
  });
});

describe("foldedLines", () => {
  it("lists stacks root first, the subtree's own frame in front", () => {
    expect([...foldedLines(tree)].join("")).toBe("main;f;g 2\nmain;f;g;f 3\nmain;h;f 4\nidle 1\n");
    const f = tree.firstChild[1];
    expect([...foldedLines(tree, f)].join("")).toBe("f;g 2\nf;g;f 3\n");
  });

  it("keeps one line a stack whatever the names are", () => {
    const hostile = buildCallTree(stacksOf("a\rb;c 1"), 0);
    expect([...foldedLines(hostile)].join("")).toBe("a_b;c 1\n");
  });
});

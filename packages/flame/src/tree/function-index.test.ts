import { expect, it } from "vitest";
import { viewStacks } from "../export/view-stacks.ts";
import { drawTree, stacksOf } from "../testing/index.ts";
import { searchTree } from "../view/search.ts";
import { buildCallTree } from "./build-call-tree.ts";
import { byInstantiation, byLine } from "./function-index.ts";

const stacks = stacksOf(`
  main;shop/cart.(*Cart).Add@cart.go:12;sort 40
  main;shop/cart.(*Cart).Add@cart.go:30;sort 9
  main;shop/cart.(*Cart).Add@cart.go:12 3`);

it("has a frame for each line, in the package of its function", () => {
  const tree = buildCallTree(byLine(stacks), 0);
  expect(drawTree(tree)).toBe(
    [
      "root 0/52",
      "  main 0/52",
      "    shop/cart.(*Cart).Add:12 3/43",
      "      sort 40/40",
      "    shop/cart.(*Cart).Add:30 0/9",
      "      sort 9/9",
    ].join("\n"),
  );
  expect([tree.functions.packageName[tree.fn[2]!], tree.line[2], tree.line[3]]).toEqual([
    "shop/cart",
    12,
    30,
  ]);
  expect(buildCallTree(stacks, 0).length).toBe(4);
});

it("has a frame for each copy of a generic function where copies are asked for", () => {
  const generic = stacksOf(`
    main;slices.Max[go.shape.int] 30
    main;slices.Max[go.shape.string] 10`);
  expect(drawTree(buildCallTree(generic, 0))).toBe("root 0/40\n  main 0/40\n    slices.Max 40/40");
  const tree = buildCallTree(byInstantiation(generic), 0);
  expect(drawTree(tree)).toBe(
    "root 0/40\n  main 0/40\n    slices.Max[go.shape.int] 30/30\n    slices.Max[go.shape.string] 10/10",
  );
  expect(searchTree(tree, "shape.string").functionCount).toBe(1);
  const exported = viewStacks({ tree, focus: 0, zoom: 0 })!;
  expect(exported.frames.functionName).toContain("slices.Max[go.shape.string]");
});

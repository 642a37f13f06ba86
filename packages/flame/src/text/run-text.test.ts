import { expect, it } from "vitest";
import { stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { pruneTree } from "../tree/prune.ts";
import { runText } from "./run-text.ts";

const tree = buildCallTree(stacksOf("main;a 980\nmain;b;x 10\nmain;b;y 6\nmain;c 4"), 0);
const pruned = pruneTree(tree, { maxNodes: 4 });

it("says how many small frames there are, and how much of the total they have", () => {
  expect(runText(pruned, 1, -1)).toBe("1 small frame, 0.4%");
  expect(runText(pruned, 1, 3)).toBe("2 small frames, 2.0%");
  expect(runText(pruned, 3, -1)).toBe("2 small frames, 1.6%");
});

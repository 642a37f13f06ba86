import { readFileSync } from "node:fs";
import { defaultLimits, pairStacks, readProfile, type StackTable, sumStacks } from "@flamekeep/profile";
import { inflatedRecording } from "@flamekeep/profile/testing/recordings";
import { describe, expect, it } from "vitest";
import { shareScale } from "#tree/lay-out.ts";
import { sandwichTree, transformTree } from "../transform/apply.ts";
import { chainOf } from "../transform/chain.ts";
import { buildCallTree, buildComparison } from "../tree/build-call-tree.ts";
import { type CallTree, levelOf } from "../tree/call-tree.ts";
import { layOut } from "../tree/lay-out.ts";
import { viewportOf } from "./viewport.ts";
import { BoxList, listVisibleBoxes } from "./visible-boxes.ts";

const golden: Readonly<Record<string, readonly string[]>> = JSON.parse(
  readFileSync(new URL("fixtures/recorded-boxes.json", import.meta.url), "utf8"),
);

const widthPx = 400;
const rows = 14;

function recorded(name: string): StackTable {
  const result = readProfile(inflatedRecording(`go1.26/${name}.pb.gz`)!, defaultLimits);
  if (!result.ok) throw new Error(`${name}: ${result.error.message}`);
  return sumStacks(result.profile);
}

function treeOf(name: string, type: string, transforms = ""): CallTree {
  const stacks = recorded(name);
  const column = stacks.sampleTypes.findIndex((each) => each.type === type);
  return transformTree(buildCallTree(stacks, column), chainOf(transforms));
}

/** `row left-right name` of each box, `...` for a run of boxes below a pixel. */
function boxesOf(tree: CallTree, node = 0): string[] {
  const boxes = new BoxList();
  const firstRow = node === 0 ? 0 : levelOf(tree, node);
  const visible = { ...viewportOf(tree, node), widthPx, firstRow, lastRow: firstRow + rows };
  listVisibleBoxes(tree, visible, boxes);
  return Array.from({ length: boxes.length }, (_, box) => {
    const name = boxes.isRun[box] ? "..." : tree.functions.name[tree.fn[boxes.node[box]]];
    return `${boxes.row[box]} ${boxes.left[box].toFixed(1)}-${boxes.right[box].toFixed(1)} ${name}`;
  });
}

const nodeNamed = (tree: CallTree, name: string) => tree.fn.indexOf(tree.functions.name.indexOf(name));

const pictures: Readonly<Record<string, () => string[]>> = {
  cpu: () => boxesOf(treeOf("cpu", "cpu")),
  "cpu, zoomed to main.knead": () => {
    const tree = treeOf("cpu", "cpu");
    return boxesOf(tree, nodeNamed(tree, "main.knead"));
  },
  "cpu, inverted": () => boxesOf(treeOf("cpu", "cpu", "invert")),
  "cpu, only my code": () => boxesOf(treeOf("cpu", "cpu", "my-code")),
  "cpu, callers of main.press": () =>
    boxesOf(sandwichTree(treeOf("cpu", "cpu"), { by: "function", text: "main.press" }).callers),
  goroutine: () => boxesOf(treeOf("goroutine", "goroutine")),
  "heap in use": () => boxesOf(treeOf("heap", "inuse_space")),
  mutex: () => boxesOf(treeOf("mutex", "delay")),
  block: () => boxesOf(treeOf("block", "delay")),
  "two CPU profiles compared, by share": () => {
    const column = (stacks: StackTable) => stacks.sampleTypes.findIndex(({ type }) => type === "cpu");
    const [before, after] = [recorded("large-cpu-1"), recorded("large-cpu-2")];
    const comparison = buildComparison(
      pairStacks(
        { stacks: before, sampleType: column(before) },
        { stacks: after, sampleType: column(after) },
      ),
    );
    return boxesOf(layOut(comparison, shareScale(comparison)));
  },
};

describe("the boxes of recorded profiles", () => {
  it.each(Object.keys(pictures))("%s: are those of the golden list", (name) => {
    const boxes = pictures[name]();
    expect(boxes.length).toBeGreaterThan(3);
    expect(boxes).toEqual(golden[name]);
  });
});

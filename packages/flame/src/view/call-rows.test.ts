import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, stacksFrom, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { type CallTree, levelOf } from "../tree/call-tree.ts";
import { pruneTree } from "../tree/prune.ts";
import { callRows, hotPath, openedTo, placeOf, toggledNode } from "./call-rows.ts";

const tree = buildCallTree(stacksOf("main;serve;json 50\nmain;serve;log 20\nmain;parse 10\ngc 5"), 0);
const nameOf = (of: CallTree, node: number) => of.functions.name[of.fn[node]];
const nodeNamed = (name: string) => tree.fn.indexOf(tree.functions.name.indexOf(name));

function picture(of: CallTree, open: ReadonlySet<number>, root = 0): string[] {
  const rows = callRows(of, root, open);
  return Array.from({ length: rows.length }, (_, row) => {
    const node = rows.node[row];
    return `${"  ".repeat(rows.level[row] - 1)}${node < 0 ? "left out" : nameOf(of, node)}`;
  });
}

describe("the rows of a call tree", () => {
  it("are the open nodes with their callees, widest first", () => {
    expect(picture(tree, new Set())).toEqual(["root"]);
    expect(picture(tree, new Set([0, nodeNamed("serve")]))).toEqual(["root", "  main", "  gc"]);
    expect(picture(tree, new Set([0, nodeNamed("main"), nodeNamed("serve")]))).toEqual([
      "root",
      "  main",
      "    serve",
      "      json",
      "      log",
      "    parse",
      "  gc",
    ]);
    const main = nodeNamed("main");
    expect(picture(tree, new Set([main]), main)).toEqual(["main", "  serve", "  parse"]);
  });

  it("count the frames that were left out as one row", () => {
    const pruned = pruneTree(tree, { maxNodes: 4 });
    const all = new Set(Array.from({ length: pruned.length }, (_, node) => node));
    const shown = picture(pruned, all);
    expect(shown.filter((row) => row.endsWith("left out")).length).toBe(pruned.elisions.length);
    expect(pruned.elisions.length).toBeGreaterThan(0);
    const rows = callRows(pruned, 0, all);
    const last = rows.node.findLast((node) => node < 0)!;
    const { place, of } = placeOf(pruned, 0, last);
    expect(place).toBe(of);
  });

  it("have every node once where all are open, in its level, after its caller", () => {
    let nodes = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const any = buildCallTree(stacks, 0);
        const rows = callRows(any, 0, new Set(Array.from({ length: any.length }, (_, node) => node)));
        expect(rows.node.toSorted()).toEqual(Int32Array.from({ length: any.length }, (_, node) => node));
        const row = new Map(Array.from(rows.node, (node, at) => [node, at]));
        for (let at = 1; at < rows.length; at++) {
          const node = rows.node[at];
          expect(rows.level[at]).toBe(levelOf(any, node) + 1);
          expect(row.get(any.parent[node])).toBeLessThan(at);
          const { place, of } = placeOf(any, 0, node);
          expect(place).toBeLessThanOrEqual(of);
        }
        nodes += any.length;
      }),
    );
    expect(nodes).toBeGreaterThan(100);
  });

  it("follow stacks of any depth", () => {
    const deep = buildCallTree(
      stacksFrom([{ frames: Array.from({ length: 20_000 }, (_, at) => `f${at}`), value: 1 }]),
      0,
    );
    const all = new Set(Array.from({ length: deep.length }, (_, node) => node));
    expect(callRows(deep, 0, all).level.at(-1)).toBe(20_001);
  });
});

describe("open nodes", () => {
  it("begin with the hot path", () => {
    expect(hotPath(tree, 0).map((node) => nameOf(tree, node))).toEqual(["root", "main", "serve", "json"]);
  });

  it("are opened down to a node, and are the same if it has a row", () => {
    const opened = openedTo(tree, new Set([0]), 0, nodeNamed("log"));
    expect(opened).toEqual(new Set([0, nodeNamed("main"), nodeNamed("serve")]));
    expect(openedTo(tree, opened, 0, nodeNamed("json"))).toBe(opened);
    // Above the first row there is none.
    expect(openedTo(tree, opened, nodeNamed("serve"), nodeNamed("gc"))).toBe(opened);
  });

  it("are closed, opened, and opened with their siblings", () => {
    const [main, gc, serve, parse] = ["main", "gc", "serve", "parse"].map(nodeNamed) as [
      number,
      number,
      number,
      number,
    ];
    expect(toggledNode(tree, new Set([0, main]), main, "closed")).toEqual(new Set([0]));
    expect(toggledNode(tree, new Set([0]), main, "open")).toEqual(new Set([0, main]));
    expect(toggledNode(tree, new Set(), gc, "siblings open")).toEqual(new Set([main, gc]));
    expect(toggledNode(tree, new Set(), serve, "siblings open")).toEqual(new Set([serve, parse]));
    expect(toggledNode(tree, new Set(), 0, "siblings open")).toEqual(new Set([0]));
  });
});

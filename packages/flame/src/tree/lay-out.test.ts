import { diffStacks, pairStacks, type StackTable } from "@flamekeep/profile";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  arbitraryStacks,
  compared,
  drawComparison,
  drawTree,
  stacksFrom,
  stacksOf,
  syntheticStacks,
} from "../testing/index.ts";
import { foldedLines } from "../text/folded.ts";
import { searchTree } from "../view/search.ts";
import { buildCallTree, buildComparison } from "./build-call-tree.ts";
import { type CallTree, pathTo, type Scale } from "./call-tree.ts";
import {
  changeKind,
  functionTotals,
  sortedFunctions,
  totalsByColumn,
  totalsByOwner,
} from "./function-totals.ts";
import { type LaidOutTree, layOut, shareScale } from "./lay-out.ts";
import { pruneTree } from "./prune.ts";

const unscaled = [1, 1];
const before = "main;serve;encode 30\nmain;serve;old 10\nmain;gc 10";
const after = "main;serve;parse 30\nmain;serve;encode 20\nmain;gc 10";
const sides = fc.tuple(arbitraryStacks, arbitraryStacks);
const scales = fc.tuple(fc.constantFrom(1, 0.25, 4), fc.constantFrom(1, 0.5, 2));
const widths = fc.constantFrom(undefined, 0, 1);

const pathOf = (tree: LaidOutTree, node: number) =>
  pathTo(tree, node)
    .map((each) => tree.functions.name[tree.fn[each]])
    .join(";");

describe("a comparison", () => {
  it("has every path of both sides, removed ones too", () => {
    const tree = layOut(compared(before, after), unscaled);
    expect(drawComparison(tree)).toBe(`root 50 > 60
  main 50 > 60
    serve 40 > 50
      encode 30 > 20
      parse 0 > 30
      old 10 > 0
    gc 10 > 10`);
    expect([...foldedLines(tree)].join("")).toBe(
      "main;serve;encode 30 20\nmain;serve;parse 0 30\nmain;serve;old 10 0\nmain;gc 10 10\n",
    );
    // The wider side of each frame: encode as before, parse as after, old as before.
    expect([...tree.width]).toEqual([80, 80, 70, 10, 30, 30, 10]);
  });

  it("is wide as one side where only that side is shown", () => {
    const widthsOf = (side: number) => {
      const tree = layOut(compared(before, after), unscaled, side);
      return Object.fromEntries(
        Array.from({ length: tree.length }, (_, node) => [pathOf(tree, node), tree.width[node]]),
      );
    };
    expect(widthsOf(0)).toMatchObject({ root: 50, "root;main;serve;parse": 0, "root;main;gc": 10 });
    expect(widthsOf(1)).toMatchObject({ root: 60, "root;main;serve;parse": 30, "root;main;gc": 10 });
  });

  it("sorts siblings again for another scale", () => {
    const comparison = compared("a 30\nb 20", "a 10\nb 30");
    const first = (scale: Scale) => {
      const tree = layOut(comparison, scale);
      return tree.functions.name[tree.fn[1]];
    };
    expect([first([2, 1]), first([1, 3])]).toEqual(["a", "b"]);
  });

  it("has each side's values as that side's own tree has them", () => {
    let functions = 0;
    fc.assert(
      fc.property(sides, ([a, b]) => {
        const comparison = compared(a, b);
        for (const [side, stacks] of [a, b].entries()) {
          const totals = functionTotals(buildCallTree(stacks, 0));
          const sums = functionTotals(layOut(comparison, unscaled), 0, side);
          const tree = buildCallTree(stacks, 0);
          for (let fn = 0; fn < tree.functions.length; fn++) {
            const id = comparison.functions.name.indexOf(tree.functions.name[fn]);
            expect([sums.self[id], sums.total[id]]).toEqual([totals.self[fn], totals.total[fn]]);
            functions++;
          }
        }
      }),
    );
    expect(functions).toBeGreaterThan(400);
  });

  it("has the differences of the subtracted stacks", () => {
    let functions = 0;
    fc.assert(
      fc.property(sides, ([a, b]) => {
        const tree = layOut(compared(a, b), unscaled);
        const [left, right] = totalsByColumn(tree);
        const subtracted = buildCallTree(diffStacks(a, b), 0);
        const totals = functionTotals(subtracted);
        for (let fn = 1; fn < tree.functions.length; fn++) {
          const id = subtracted.functions.name.indexOf(tree.functions.name[fn]);
          const [self, total] = id === -1 ? [0, 0] : [totals.self[id], totals.total[id]];
          expect(right.self[fn] - left.self[fn]).toBe(self);
          expect(right.total[fn] - left.total[fn]).toBe(total);
          functions++;
        }
      }),
    );
    expect(functions).toBeGreaterThan(100);
  });

  it("is the same the other way round, with the sides exchanged", () => {
    let frames = 0;
    fc.assert(
      fc.property(sides, ([a, b]) => {
        const [there, back] = [compared(a, b), compared(b, a)];
        expect(back.columns).toEqual(there.columns.toReversed());
        expect([...back.fn].map((fn) => back.functions.name[fn])).toEqual(
          [...there.fn].map((fn) => there.functions.name[fn]),
        );
        frames += there.length;
      }),
    );
    expect(frames).toBeGreaterThan(200);
  });

  it("has boxes inside their parents, next to their siblings, widest first, at any scale", () => {
    let children = 0;
    fc.assert(
      fc.property(sides, scales, widths, ([a, b], scale, widthOf) => {
        const comparison = compared(a, b);
        const tree = layOut(comparison, scale, widthOf);
        for (let node = 1; node < tree.length; node++) {
          const { x, width, parent, firstChild } = tree;
          const above = parent[node];
          const isFirst = node === firstChild[above];
          expect(x[node]).toBe(isFirst ? x[above] : x[node - 1] + width[node - 1]);
          expect(x[node] + width[node]).toBeLessThanOrEqual(x[above] + width[above]);
          if (!isFirst) expect(width[node]).toBeLessThanOrEqual(width[node - 1]);
          const source = tree.source[node];
          expect(comparison.fn[source]).toBe(tree.fn[node]);
          expect(comparison.parent[source]).toBe(tree.source[above]);
          expect(comparison.columns[1].total[source]).toBe(tree.columns[1].total[node]);
          children++;
        }
        expect(new Set(tree.source).size).toBe(comparison.length);
      }),
    );
    expect(children).toBeGreaterThan(100);
  });

  it("draws a single tree where both sides are equal", () => {
    const stacks = syntheticStacks({ stacks: 200, depth: 20, names: 50 });
    const tree = buildCallTree(stacks, 0);
    const drawn = layOut(compared(stacks, stacks), unscaled);
    expect(drawTree(drawn)).toBe(drawTree(tree));
    for (const { self, total } of drawn.columns)
      expect({ self, total }).toEqual({ self: tree.self, total: tree.total });
  });

  it("is a root and nothing else for two empty sides, and one side for an empty one", () => {
    const nothing = stacksFrom([]);
    expect(drawComparison(layOut(compared(nothing, nothing), shareScale(compared(nothing, nothing))))).toBe(
      "root 0 > 0",
    );
    const added = compared(nothing, "main;work 5");
    expect(drawComparison(layOut(added, shareScale(added)))).toBe(`root 0 > 5
  main 0 > 5
    work 0 > 5`);
  });

  it("puts a stack that a profiler truncated below one placeholder on both sides", () => {
    const deep = (length: number) => Array.from({ length }, (_, level) => `f${level}`).join(";");
    // 64 frames are the limit of CPU profiles before and after; the outermost one is called by main in another stack.
    const truncated = deep(64).replace("f0", "work@work.go:1");
    const cpu = { type: "cpu", unit: "nanoseconds" };
    const one = stacksOf(`main@main.go:1;work@work.go:1 1\n${truncated} 2`, cpu);
    const other = stacksOf(`${truncated} 3`, cpu);
    const table = pairStacks({ stacks: one, sampleType: 0 }, { stacks: other, sampleType: 0 });
    const tree = layOut(buildComparison(table), unscaled);
    expect(drawComparison(tree).split("\n").slice(0, 3)).toEqual([
      "root 3 > 3",
      "  [truncated] 2 > 3",
      "    work 2 > 3",
    ]);
  });
});

describe("the matches of a search", () => {
  const tree = layOut(compared("main;a;b;a 30\nmain;c 10", "main;a;b;a 20\nmain;c;b 40"), unscaled);

  it("are summed for each side, and those below a match are not counted again", () => {
    expect(searchTree(tree, "/^[ab]$/").values).toEqual([30, 60]);
    expect(searchTree(tree, "/^b$/").values).toEqual([30, 60]);
    expect(searchTree(tree, "/^c$/").values).toEqual([10, 40]);
    expect(searchTree(tree, "nothing").values).toEqual([0, 0]);
  });

  it("are exact for one function where frames are left out, and else the least", () => {
    const cut = pruneTree(tree, { maxNodes: 3, hasAllFrames: true });
    expect(searchTree(cut, "/^b$/")).toMatchObject({ isLeast: false });
    expect(searchTree(cut, "/^b$/").values).toEqual([30, 60]);
    expect(searchTree(cut, "/^[bc]$/")).toMatchObject({ isLeast: true });
  });
});

describe("pruning a comparison", () => {
  it("keeps every total and counts what it leaves out", () => {
    let elidedFrames = 0;
    fc.assert(
      fc.property(sides, scales, fc.integer({ min: 1, max: 8 }), ([a, b], scale, maxNodes) => {
        const comparison = compared(a, b);
        const pruned = pruneTree(layOut(comparison, scale), { maxNodes });
        expect(pruned.length).toBe(Math.min(maxNodes, comparison.length));
        const elided = pruned.elisions.count.reduce((sum, count) => sum + count, 0);
        expect(pruned.length + elided).toBe(comparison.length);
        expect(totalsIn(pruned)).toEqual(totalsIn(comparison));
        if (maxNodes > 2) {
          const again = pruneTree(pruned, { maxNodes: maxNodes - 2 });
          expect(totalsIn(again)).toEqual(totalsIn(comparison));
          expect(again.length + again.elisions.count.reduce((sum, count) => sum + count, 0)).toBe(
            comparison.length,
          );
        }
        elidedFrames += elided;
      }),
    );
    expect(elidedFrames).toBeGreaterThan(50);
  });

  it("counts the frames of stacks beyond the limit of nodes at their parent", () => {
    const table = pairStacks(
      { stacks: stacksOf("a;b;c 5\nd;e 1"), sampleType: 0 },
      { stacks: stacksOf("a;b;c 7\nd;f 2"), sampleType: 0 },
    );
    const comparison = buildComparison(table, unscaled, 4);
    expect(drawComparison(layOut(comparison, unscaled))).toBe(`root 6 > 9
  a 5 > 7
    b 5 > 7
      c 5 > 7`);
    expect(comparison.columns.map(({ elided }) => [...elided])).toEqual([[1], [2]]);
    expect([...comparison.elisions.count]).toEqual([4]);
  });
});

/** Totals by side: of all, and the sums of self values and of what was left out. */
function totalsIn({ columns }: CallTree) {
  const sum = (values: Float64Array) => values.reduce((all, value) => all + value, 0);
  return columns.map(({ self, total, elided }) => [total[0], sum(self) + sum(elided)]);
}

describe("the table of functions", () => {
  const tree = layOut(compared(before, after), unscaled);
  const sums = totalsByColumn(tree);
  const names = (order: Uint32Array) => [...order].map((fn) => tree.functions.name[fn]);

  it("is sorted by change, equal ones by name, without the root", () => {
    expect(names(sortedFunctions(tree, sums, { value: "self", of: 1, minus: 0 }, true))).toEqual([
      "parse",
      "gc",
      "main",
      "serve",
      "encode",
      "old",
    ]);
    expect(names(sortedFunctions(tree, sums, "name", false))[0]).toBe("encode");
  });

  it("marks new and gone functions", () => {
    const kind = (name: string) => {
      const fn = tree.functions.name.indexOf(name);
      return changeKind(sums[0].total[fn], sums[1].total[fn]);
    };
    expect(["parse", "old", "encode", "serve", "gc"].map(kind)).toEqual([
      "new",
      "gone",
      "less",
      "more",
      "same",
    ]);
  });

  it("counts a recursive function once", () => {
    const recursive = layOut(compared("f;f;f 3\nf;g 1", "f;f 10"), unscaled);
    const totals = totalsByColumn(recursive);
    const fn = recursive.functions.name.indexOf("f");
    expect(totals.map(({ total }) => total[fn])).toEqual([4, 10]);
  });

  const [waitsBefore, waitsAfter] = [
    "main;ask;runtime.chansend1;runtime.gopark 2\nmain;sync.(*Mutex).Lock 4\nruntime.gcBgMarkWorker;runtime.gopark 3",
    "main;ask;runtime.chansend1;runtime.gopark 9\nmain;sync.(*Mutex).Lock 1\nruntime.gcBgMarkWorker;runtime.gopark 3",
  ].map((folded) => stacksOf(folded)) as [StackTable, StackTable];
  const waits = compared(waitsBefore, waitsAfter);
  const selfOf = (type: string, comparison = waits) => {
    const [left, right] = totalsByOwner(layOut(comparison, unscaled), type);
    const { name } = comparison.functions;
    const used = [...name.keys()].filter((fn) => left.self[fn] + right.self[fn] > 0);
    return Object.fromEntries(used.map((fn) => [name[fn], [left.self[fn], right.self[fn]]] as const));
  };

  it.each(["goroutine", "mutex", "block"])(
    "has the waits of %s at the first function that is not of the runtime",
    (type) => {
      expect(selfOf(type)).toEqual({ ask: [2, 9], main: [4, 1], "runtime.gcBgMarkWorker": [3, 3] });
    },
  );

  it("has the waits of the frames that are left out, too", () => {
    const stacks = pairStacks({ stacks: waitsBefore, sampleType: 0 }, { stacks: waitsAfter, sampleType: 0 });
    for (const cut of [
      pruneTree(waits, { maxNodes: 3, hasAllFrames: true }),
      buildComparison(stacks, unscaled, 3),
    ]) {
      expect(cut.length).toBe(3);
      expect(selfOf("goroutine", cut)).toEqual(selfOf("goroutine"));
    }
  });

  it.each(["cpu", "memory", "custom"])("has the self values of %s at the functions themselves", (type) => {
    expect(selfOf(type)).toEqual({ "runtime.gopark": [5, 12], "sync.(*Mutex).Lock": [4, 1] });
  });
});

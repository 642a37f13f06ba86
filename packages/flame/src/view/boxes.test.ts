import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, stacksFrom, stacksOf, syntheticStacks } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { type CallTree, levelOf } from "../tree/call-tree.ts";
import { pruneTree } from "../tree/prune.ts";
import { fillPixelRows } from "./pixel-rows.ts";
import { interpolate, panBy, viewportOf, zoomAt } from "./viewport.ts";
import { BoxList, hitAt, listVisibleBoxes } from "./visible-boxes.ts";

const window = { firstRow: 0, lastRow: 1000, widthPx: 100 };

function boxesOf(tree: CallTree, node = 0, change: Partial<typeof window> = {}) {
  const boxes = new BoxList();
  const visited = listVisibleBoxes(tree, { ...window, ...viewportOf(tree, node), ...change }, boxes);
  return { boxes, visited };
}

const pixels = (value: number) => Math.round(value * 10) / 10;

/** `row left-right name`, runs as `...`. */
function picture(tree: CallTree, boxes: BoxList): string[] {
  return Array.from({ length: boxes.length }, (_, at) => {
    const name = boxes.isRun[at] ? "..." : tree.functions.name[tree.fn[boxes.node[at]]];
    return `${boxes.row[at]} ${pixels(boxes.left[at])}-${pixels(boxes.right[at])} ${name}`;
  });
}

describe("listVisibleBoxes", () => {
  const tree = buildCallTree(stacksOf("a;b 600\na;c 300\nd 98\ne;f 1\ng 1"), 0);

  it("lists boxes row by row and one run for siblings under a pixel", () => {
    expect(picture(tree, boxesOf(tree, 0, { widthPx: 200 }).boxes)).toEqual([
      "0 0-200 root",
      "1 0-180 a",
      "1 180-199.6 d",
      "1 199.6-200 ...",
      "2 0-120 b",
      "2 120-180 c",
    ]);
  });

  it("lists ancestors across the whole width when zoomed", () => {
    const names = picture(tree, boxesOf(tree, tree.firstChild[1]).boxes).map((line) =>
      line.split(" ").at(-1),
    );
    expect(names).toEqual(["root", "a", "b"]);
  });

  it("skips rows outside the window but visits their descendants", () => {
    expect(picture(tree, boxesOf(tree, 0, { firstRow: 2, lastRow: 2 }).boxes)).toEqual([
      "2 0-60 b",
      "2 60-90 c",
    ]);
  });

  it("draws omitted frames to the right of the children", () => {
    const pruned = pruneTree(buildCallTree(stacksOf("a 50\nb 30\nc 20"), 0), { maxNodes: 2 });
    const { boxes } = boxesOf(pruned);
    expect(picture(pruned, boxes)).toEqual(["0 0-100 root", "1 0-50 a", "1 50-100 ..."]);
    expect(boxes.node[2]).toBe(-1);
    expect(hitAt(pruned, 70, 1)).toEqual({ kind: "elided", parent: 0 });
    expect(hitAt(pruned, 20, 1)).toEqual({ kind: "frame", node: 1 });
    expect(hitAt(pruned, 20, 2)).toBeNull();
  });

  it("lists nothing if the tree has no width", () => {
    expect(boxesOf(buildCallTree(stacksOf("a -5"), 0)).boxes.length).toBe(0);
  });

  it("visits only the visible nodes of a million", () => {
    const large = buildCallTree(syntheticStacks({ stacks: 180_000, depth: 77, names: 20_000 }), 0);
    expect(large.length).toBeGreaterThan(1_000_000);
    const { boxes, visited } = boxesOf(large, 0, { widthPx: 1600, lastRow: 32 });
    expect(boxes.length).toBeGreaterThan(500);
    expect(visited).toBeLessThan(32 * 1600 * 2);
    const zoomed = boxesOf(large, large.levelStart[20], { widthPx: 1600, lastRow: 52 });
    expect(zoomed.visited).toBeLessThan(32 * 1600 * 2);
  });

  it("finds the visible rows below 60,000 others", () => {
    const frames = Array.from({ length: 60_000 }, (_, depth) => `f${depth % 7}`);
    const deep = buildCallTree(stacksFrom([{ frames, value: 4 }]), 0);
    const { boxes } = boxesOf(deep, 0, { firstRow: 59_990, lastRow: 60_030 });
    expect(boxes.length).toBe(11);
    expect(boxes.row[10]).toBe(60_000);
  });
});

describe("hitAt", () => {
  it("finds the frame of every box's middle", () => {
    let looked = 0;
    fc.assert(
      fc.property(arbitraryStacks, (stacks) => {
        const tree = buildCallTree(stacks, 0);
        for (let node = 0; node < tree.length; node++) {
          if (tree.width[node] === 0) continue;
          const hit = hitAt(tree, tree.x[node] + tree.width[node] / 2, levelOf(tree, node));
          expect(hit).toEqual({ kind: "frame", node });
          looked++;
        }
      }),
    );
    expect(looked).toBeGreaterThan(100);
  });
});

describe("the rows of pixels", () => {
  const rows = Array.from({ length: 5 }, (_, id) => ({ frames: [`f${id}`], value: 2 }));
  const tree = buildCallTree(stacksFrom([...rows, { frames: ["wide"], value: 10 }]), 0);
  const { boxes } = boxesOf(tree, 0, { widthPx: 20 });
  const drawn = (isUpwards: boolean, firstRow: number, lines: number, firstBox = 0) => {
    const out = { widthPx: 20, firstRow, isUpwards, pixels: new Uint32Array(lines * 20) };
    const next = fillPixelRows(boxes, firstBox, (box) => box + 1, out);
    const text = Array.from(out.pixels, (pixel) => (pixel === 0 ? "." : String(pixel))).join("");
    return { next, lines: text.match(/.{20}/g) };
  };

  it("have a gap after wide boxes and none after narrow ones", () => {
    expect(drawn(false, 0, 2).lines).toEqual(["1111111111111111111.", "222222222.3344556677"]);
  });

  it("begin with the last row where rows go upwards", () => {
    expect(drawn(true, 0, 2).lines).toEqual(["222222222.3344556677", "1111111111111111111."]);
  });

  it("are filled part by part", () => {
    const first = drawn(false, 0, 1);
    expect(first).toEqual({ next: 1, lines: ["1111111111111111111."] });
    expect(drawn(false, 1, 2, first.next)).toEqual({
      next: boxes.length,
      lines: ["222222222.3344556677", "...................."],
    });
  });
});

describe("the viewport", () => {
  const whole = { from: 0, to: 1000 };
  const inner = { from: 400, to: 410 };

  it("begins and ends a zoom exactly, and zoom and back is identity", () => {
    expect(interpolate(whole, inner, 0)).toBe(whole);
    expect(interpolate(whole, inner, 1)).toBe(inner);
    for (const time of [0.1, 0.25, 0.5, 0.9]) {
      const there = interpolate(whole, inner, time);
      const back = interpolate(inner, whole, 1 - time);
      expect(there.from).toBeCloseTo(back.from, 6);
      expect(there.to).toBeCloseTo(back.to, 6);
      expect(there.from).toBeGreaterThanOrEqual(0);
      expect(there.to).toBeLessThanOrEqual(1000);
    }
  });

  it("stays inside the whole when zoomed and moved by hand", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0.1, max: 10, noNaN: true })),
        ),
        (steps) => {
          let view: { from: number; to: number } = whole;
          for (const [at, factor] of steps) view = panBy(zoomAt(view, whole, at, factor), whole, at - 0.5);
          expect(view.from).toBeGreaterThanOrEqual(0);
          expect(view.to).toBeLessThanOrEqual(1000 + 1e-6);
          expect(view.to - view.from).toBeGreaterThan(0);
        },
      ),
    );
  });
});

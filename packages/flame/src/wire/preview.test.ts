import { describe, expect, it } from "vitest";
import { nodeColours } from "#colour/scheme.ts";
import { buildCallTree } from "#tree/build-call-tree.ts";
import { wholeOf } from "#tree/call-tree.ts";
import { nodeAtRef, nodeRefOf } from "#view/node-ref.ts";
import { stacksOf, syntheticStacks } from "../testing/index.ts";
import { FlameGraphFormatError } from "./byte-reader.ts";
import { decodeFlameGraph, decodePreview } from "./decode.ts";
import { encodeFlameGraph } from "./encode.ts";
import { previewEnd, previewIn } from "./preview-in.ts";
import { previewFrom, previewNodes } from "./sections.ts";

const meta = { profileId: "p1", totalSamples: 7, durationMs: 10_000, profileHash: "h1" };
const whole = buildCallTree(syntheticStacks({ stacks: 6_000, depth: 40, names: 3_000 }), 0);
const bytes = encodeFlameGraph(whole, meta);
const preview = decodePreview(bytes)!;

describe("the preview of a large flame graph", () => {
  it("has its widest frames with their values, at the same references", () => {
    expect(whole.length).toBeGreaterThan(previewFrom);
    const { tree } = preview;
    expect([tree.length, preview.meta, wholeOf(tree)]).toEqual([previewNodes, meta, wholeOf(whole)]);
    const narrowest = tree.width.reduce((least, width) => Math.min(least, width), Number.POSITIVE_INFINITY);
    expect(whole.width.filter((width) => width > narrowest).length).toBeLessThan(previewNodes);
    for (let node = 0; node < tree.length; node++) {
      const same = nodeAtRef(whole, nodeRefOf(tree, node));
      expect(tree.functions.name[tree.fn[node]!]).toBe(whole.functions.name[whole.fn[same]!]);
      expect([tree.total[node], tree.self[node], tree.x[node]]).toEqual([
        whole.total[same],
        whole.self[same],
        whole.x[same],
      ]);
    }
  });

  it.each(["package", "subsystem", "cool"] as const)("has the colours of the whole by %s", (scheme) => {
    const { tree } = preview;
    const [ofPreview, ofWhole] = [nodeColours(tree, scheme), nodeColours(whole, scheme)];
    const colours = new Set<number>();
    for (let node = 0; node < tree.length; node++) {
      colours.add(ofPreview(node));
      expect(ofPreview(node)).toBe(ofWhole(nodeAtRef(whole, nodeRefOf(tree, node))));
    }
    expect(colours.size).toBeGreaterThan(1);
  });

  it("is not in the tree that the whole file is decoded to", () => {
    expect(decodeFlameGraph(bytes)).toEqual({ tree: whole, meta });
  });

  it("is left out of graphs that are decoded at once", () => {
    expect(decodePreview(encodeFlameGraph(buildCallTree(stacksOf("main;a 3"), 0), meta))).toBeUndefined();
  });

  it("is refused where it is damaged", () => {
    expect(() => decodePreview(bytes.subarray(0, bytes.length - 1))).toThrow(FlameGraphFormatError);
    const damaged = bytes.slice();
    damaged.fill(255, 1000, 2000);
    expect(() => decodePreview(damaged)).toThrow(FlameGraphFormatError);
  });

  it("is a file that is complete long before the whole one", () => {
    const early = previewIn(bytes.subarray(0, bytes.length >> 1))!;
    expect(decodeFlameGraph(early)).toEqual(preview);
    for (const length of [0, 3, 6, 10, early.length]) {
      expect(previewIn(bytes.subarray(0, length))).toBeUndefined();
    }
    const small = encodeFlameGraph(buildCallTree(stacksOf("main;a 3"), 0), meta);
    expect(previewIn(small)).toBeUndefined();
    const end = previewEnd(bytes.subarray(0, 200));
    expect([end > early.length, previewIn(bytes.subarray(0, end - 1))]).toEqual([true, undefined]);
    expect(previewIn(bytes.subarray(0, end))).toEqual(early);
    expect([previewEnd(bytes.subarray(0, 3)), previewEnd(small)]).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(previewIn(Uint8Array.from({ length: 4000 }, (_, at) => at))).toBeUndefined();
  });
});

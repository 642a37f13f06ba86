import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryStacks, stacksFrom, stacksOf } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { pruneTree } from "../tree/prune.ts";
import { FlameGraphFormatError } from "./byte-reader.ts";
import { decodeFlameGraph } from "./decode.ts";
import { encodeFlameGraph, planes } from "./encode.ts";

const meta = { profileId: "p1", totalSamples: 7, durationMs: 10_000, profileHash: "h1" };

describe("the binary flame graph", () => {
  it("reads back as the tree that was written", () => {
    fc.assert(
      fc.property(arbitraryStacks, fc.integer({ min: 1, max: 30 }), (stacks, maxNodes) => {
        for (const tree of [buildCallTree(stacks, 0), pruneTree(buildCallTree(stacks, 0), { maxNodes })]) {
          expect(decodeFlameGraph(encodeFlameGraph(tree, meta))).toEqual({ tree, meta });
        }
      }),
    );
  });

  it.each([
    ["fractions", 0.125],
    ["values beyond 2^53", 2 ** 62],
    ["values of 51 bits", 2 ** 51 - 1],
    ["negative values", -(2 ** 51)],
  ])("keeps %s", (_, value) => {
    const tree = buildCallTree(
      stacksFrom(
        [
          { frames: ["main", "a"], value },
          { frames: ["main"], value: 3 },
        ],
        { type: "custom", unit: "widgets" },
      ),
      0,
    );
    expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree).toEqual(tree);
  });

  it("keeps lines from one end of 32 bits to the other, and values of leaves and callers apart", () => {
    const built = buildCallTree(stacksOf("a;b 3\na;c 2\na 7\nb;a;b 1\nb 2"), 0);
    const line = Int32Array.from(built.line, (_, node) => [2 ** 31 - 1, -(2 ** 31), 0, 7][node % 4]!);
    const tree = { ...built, line };
    expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree).toEqual(tree);
  });

  it("refuses siblings out of order, which would hide wide frames", () => {
    const built = buildCallTree(stacksOf("a;b 3\na;c 2"), 0);
    const self = Float64Array.from(built.self, (value) => (value === 3 ? 2 : value === 2 ? 3 : value));
    const bytes = encodeFlameGraph(
      { ...built, samples: self, columns: [{ ...built.columns[0], self }] },
      meta,
    );
    expect(() => decodeFlameGraph(bytes)).toThrow(/siblings out of order/);
  });

  it.each([
    [200, 1],
    [300, 2],
    [70_000, 3],
  ])("writes a function of %i in %i bytes", (functions, bytesEach) => {
    const stacks = Array.from({ length: functions - 1 }, (_, id) => ({ frames: [`f${id}`], value: 1 }));
    const tree = buildCallTree(stacksFrom(stacks), 0);
    expect(planes(tree.fn, tree.functions.length)).toHaveLength(functions * bytesEach);
    expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree.fn).toEqual(tree.fn);
  });

  it("keeps the sources of a graph over a range, and refuses incomplete ones", () => {
    const merge = {
      service: "checkout",
      type: "cpu",
      from: "2026-11-20T10:00:00.000Z",
      to: "2026-11-20T11:00:00.000Z",
      profilesMerged: 360,
      aggregation: "sum" as const,
      sampleTypes: ["samples/count", "cpu/nanoseconds"],
      tags: { region: "eu" },
    };
    const tree = buildCallTree(stacksOf("main 1"), 0);
    expect(decodeFlameGraph(encodeFlameGraph(tree, { ...meta, merge })).meta).toEqual({ ...meta, merge });
    const half = { ...merge, tags: undefined } as unknown as typeof merge;
    expect(() => decodeFlameGraph(encodeFlameGraph(tree, { ...meta, merge: half }))).toThrow("merge");
  });

  it("keeps hostile names, only half surrogates become replacement characters", () => {
    const names = ["</script>", "\u0000", "名前", "🔥", "a\ud800b", "../..", "__proto__"];
    const tree = buildCallTree(stacksFrom([{ frames: names, value: 1 }]), 0);
    const read = decodeFlameGraph(encodeFlameGraph(tree, meta)).tree;
    expect(read.functions.name.slice(1)).toEqual(names.map((name) => name.replace("\ud800", "\ufffd")));
  });

  it("takes a tree 60,000 levels deep", () => {
    const frames = Array.from({ length: 60_000 }, (_, depth) => `f${depth % 3}`);
    const tree = buildCallTree(stacksFrom([{ frames, value: 1 }]), 0);
    expect(decodeFlameGraph(encodeFlameGraph(tree, meta)).tree).toEqual(tree);
  });

  it("skips sections it does not know", () => {
    const bytes = encodeFlameGraph(buildCallTree(stacksOf("main 1"), 0), meta);
    const count = bytes[5];
    // The length of the first section has two bytes.
    const head = 7 + 2 * count;
    const withMore = Uint8Array.of(
      ...bytes.slice(0, 5),
      count + 1,
      ...bytes.slice(6, head),
      99,
      2,
      ...bytes.slice(head),
      1,
      2,
    );
    expect(decodeFlameGraph(withMore)).toEqual(decodeFlameGraph(bytes));
  });

  it("fails with a named error on any damage, or reads a sound tree", () => {
    const bytes = encodeFlameGraph(
      pruneTree(buildCallTree(stacksOf("main;a;b 3\nmain;c 2\nmain;d;e -1\ngc 1"), 0), { maxNodes: 4 }),
      meta,
    );
    let failures = 0;
    const attempt = (damaged: Uint8Array) => {
      try {
        const { tree } = decodeFlameGraph(damaged);
        expect(tree.firstChild[tree.length]).toBe(tree.length);
      } catch (error) {
        expect(error).toBeInstanceOf(FlameGraphFormatError);
        failures++;
      }
    };
    for (let length = 0; length < bytes.length; length++) attempt(bytes.slice(0, length));
    expect(failures).toBe(bytes.length);
    for (let at = 0; at < bytes.length; at++) {
      for (const byte of [0, 1, 0x7f, 0x80, 0xff]) attempt(bytes.with(at, byte));
    }
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => attempt(noise)));
    expect(failures).toBeGreaterThan(bytes.length + 100);
  });
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dividedBy } from "#tree/lay-out.ts";
import { arbitraryStacks, compared, syntheticStacks } from "../testing/index.ts";
import { buildCallTree } from "../tree/build-call-tree.ts";
import { pruneTree } from "../tree/prune.ts";
import { FlameGraphFormatError } from "./byte-reader.ts";
import { type ComparisonMeta, decodeComparison, type SideMeta } from "./comparison-meta.ts";
import { decodeFlameGraph } from "./decode.ts";
import { encodeFlameGraph } from "./encode.ts";

const side: SideMeta = {
  profileId: null,
  service: "checkout",
  from: "2026-11-20T10:00:00.000Z",
  to: "2026-11-20T11:00:00.000Z",
  tags: { version: "1.2" },
  profiles: 12,
  durationMs: 120_000,
  total: 5,
};
const meta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: ["samples/count", "cpu/nanoseconds"],
  aggregation: "sum",
  before: side,
  after: { ...side, profileId: "p", tags: {} },
  normalisations: [{ per: "second", before: 120, after: 240 }],
  noRequests: "no requests",
};

const comparisons = fc.tuple(arbitraryStacks, arbitraryStacks).map(([a, b]) => compared(a, b));

describe("a comparison on the wire", () => {
  it("comes back as it was", () => {
    fc.assert(
      fc.property(comparisons, fc.integer({ min: 1, max: 12 }), (comparison, maxNodes) => {
        for (const each of [comparison, pruneTree(comparison, { maxNodes })])
          expect(decodeComparison(encodeFlameGraph(each, meta))).toEqual({ tree: each, meta });
      }),
    );
  });

  it("comes back as means of the sums that were sent", () => {
    const comparison = compared("a 10\nb 3", "a 7");
    const read = decodeComparison(encodeFlameGraph(comparison, meta, [4, 2])).tree;
    expect(read).toEqual(dividedBy(comparison, [4, 2]));
    expect(read.columns.map(({ total }) => total[0])).toEqual([3.25, 3.5]);
  });

  it("takes little more than one of its sides alone", () => {
    const stacks = syntheticStacks({ stacks: 3000, depth: 60, names: 500 });
    const comparison = compared(stacks, stacks);
    const single = { profileId: "p", totalSamples: 1, durationMs: 1, profileHash: "h" };
    expect(comparison.length).toBeGreaterThan(10_000);
    expect(encodeFlameGraph(comparison, meta).length).toBeLessThan(
      1.25 * encodeFlameGraph(buildCallTree(stacks, 0), single).length,
    );
  });

  it("fails with its own error for damaged bytes", () => {
    const bytes = encodeFlameGraph(compared("a;b 10\nb 3", "a 7"), meta);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, length) => {
        const damaged = bytes.slice(0, length === 0 ? bytes.length : length);
        if (at < damaged.length) damaged[at] = value;
        try {
          decodeComparison(damaged);
        } catch (error) {
          expect(error).toBeInstanceOf(FlameGraphFormatError);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it("is no single flame graph", () => {
    expect(() => decodeFlameGraph(encodeFlameGraph(compared("a 1", "a 2"), meta))).toThrow(
      FlameGraphFormatError,
    );
  });

  it.each([
    ["normalisations", []],
    ["normalisations", [{ per: "second", before: 0, after: 1 }]],
    ["normalisations", [{ per: "fortnight", before: 1, after: 1 }]],
    ["before", { ...side, tags: { a: 1 } }],
    ["aggregation", "median"],
    ["noRequests", 3],
    ["sampleTypes", [1]],
  ])("refuses meta whose %s is %j", (key, value) => {
    const bytes = encodeFlameGraph(compared("a 1", "a 2"), { ...meta, [key]: value } as ComparisonMeta);
    expect(() => decodeComparison(bytes)).toThrow("meta of the comparison is incomplete");
  });
});

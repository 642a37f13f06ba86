import { functionNamed, layOut } from "@flamekeep/flame";
import type { ComparisonMeta, SideMeta } from "@flamekeep/flame/compare";
import { compared } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import {
  changeSums,
  changeText,
  matchedShares,
  normalisationSentence,
  perText,
  scalingOf,
  sideTotal,
} from "./change-text.ts";

const side: SideMeta = {
  profileId: null,
  service: "checkout",
  from: "2026-11-20T10:00:00.000Z",
  to: "2026-11-20T11:00:00.000Z",
  tags: {},
  profiles: 12,
  durationMs: 120_000,
  total: 5,
};
const meta: ComparisonMeta = {
  type: "cpu",
  hash: "h",
  sampleTypes: ["cpu/nanoseconds"],
  aggregation: "sum",
  before: side,
  after: { ...side, profiles: 1400 },
  normalisations: [{ per: "second", before: 120, after: 60 }],
  noRequests: null,
};
type Folded = Parameters<typeof compared>[0];

function comparisonOf(before: Folded, after: Folded, valueType = { type: "cpu", unit: "nanoseconds" }) {
  return { ...compared(before, after), valueType };
}

it("the share of a search's matches is that of each side's total", () => {
  const comparison = comparisonOf("a 600\nb 200", "a 500\nb 500");
  expect(matchedShares(comparison, [200, 500])).toBe("25.0% → 50.0%");
  expect(matchedShares(comparison, [0, 1000])).toBe("0.0% → 100.0%");
});

it("the total of a side is in the unit of the comparison", () => {
  const comparison = comparisonOf("a 600000000\nb 200000000", "a 500000000");
  const scaling = scalingOf(comparison, meta, "absolute", { per: "second", before: 4, after: 1 });
  expect(sideTotal(comparison, scaling, 0)).toBe("0.2 cores");
  expect(sideTotal(comparison, scaling, 1)).toBe("0.5 cores");
});

describe("values of a comparison", () => {
  const comparison = comparisonOf("a 600\nb 200", "a 500\nb 500");

  it("are shares of each side's total, with differences in points", () => {
    const scaling = scalingOf(comparison, meta, "relative", meta.normalisations[0]);
    expect(changeText(scaling, 200, 500)).toEqual({
      before: "25%",
      after: "50%",
      change: "+25 points",
      percent: "+100.0%",
    });
    expect(changeText(scaling, 600, 500)).toMatchObject({ change: "−25 points", percent: "−33.3%" });
  });

  it("have one unit and one number of decimals in a table, by its total", () => {
    const scalingOfTotals = (before: number, after: number) =>
      scalingOf(comparisonOf(`a ${before}`, `a ${after}`), { type: "cpu" }, "absolute", {
        ...meta.normalisations[0],
        per: "second",
        before: 1,
        after: 1,
      });
    const large = scalingOfTotals(1e9, 1.24e9);
    expect(changeText(large, 240_000_000, 1.2e9, true)).toMatchObject({
      before: "0.240 cores",
      after: "1.200 cores",
      change: "+0.960 cores",
    });
    expect(changeText(large, 1000, 0, true)).toMatchObject({
      before: "<0.001 cores",
      after: "0 cores",
      change: ">−0.001 cores",
    });
    const small = scalingOfTotals(40_000_000, 50_000_000);
    expect(changeText(small, 663_000, 12_000_000, true)).toMatchObject({
      before: "0.66 mcores",
      after: "12.00 mcores",
    });
  });

  it.each([
    {
      per: "second",
      valueType: { type: "cpu", unit: "nanoseconds" },
      type: "cpu",
      values: [6e10, 6e10],
      texts: ["0.5 cores", "1 core", "+0.5 cores"],
    },
    {
      per: "second",
      valueType: { type: "delay", unit: "nanoseconds" },
      type: "mutex",
      values: [12e9, 0],
      texts: ["100 ms/s", "0 s/s", "−100 ms/s"],
    },
    {
      per: "second",
      valueType: { type: "alloc_space", unit: "bytes" },
      type: "memory",
      values: [122_880, 0],
      texts: ["1 KB/s", "0 B/s", "−1 KB/s"],
    },
    {
      per: "request",
      valueType: { type: "cpu", unit: "nanoseconds" },
      type: "cpu",
      values: [12e6, 12e6],
      texts: ["100 µs", "200 µs", "+100 µs"],
    },
    {
      per: "profile",
      valueType: { type: "goroutine", unit: "count" },
      type: "goroutine",
      values: [240, 60],
      texts: ["2 goroutines", "1 goroutine", "−1 goroutine"],
    },
  ] as const)("are per $per of $valueType.type", ({ per, valueType, type, values, texts }) => {
    const normalisation = { per, before: 120, after: 60 };
    const scaling = scalingOf(comparisonOf("a 1", "a 1", valueType), { type }, "absolute", normalisation);
    const text = changeText(scaling, values[0], values[1]);
    expect([text.before, text.after, text.change]).toEqual(texts);
  });

  it("leave out the name of the counted things where there is little room", () => {
    const goroutines = comparisonOf("a 1", "a 1", { type: "goroutine", unit: "count" });
    const scaling = scalingOf(goroutines, meta, "absolute", { per: "profile", before: 1, after: 1 });
    expect(changeText(scaling, 2, 65, true)).toEqual({
      before: "2",
      after: "65",
      change: "+63",
      percent: "×33",
    });
  });

  it("name new, gone and equal ones, and write large changes as a factor", () => {
    const scaling = scalingOf(comparison, meta, "absolute", { per: "profile", before: 1, after: 1 });
    const percent = (before: number, after: number) => changeText(scaling, before, after).percent;
    expect([percent(0, 1), percent(1, 0), percent(3, 3), percent(1, 25), percent(100, 150)]).toEqual([
      "new",
      "gone",
      "same",
      "×25",
      "+50.0%",
    ]);
  });
});

it("sums a function over all of its places on both sides, recursion once", () => {
  const comparison = comparisonOf("f;f 300\na;f 100\nb 400", "f;f 200\na;f 400\nb 200");
  const tree = layOut(comparison, [1, 1]);
  const scaling = scalingOf(comparison, meta, "relative", meta.normalisations[0]);
  expect(changeSums(tree, scaling, functionNamed(tree, "f"))).toBe("total and self 50% → 75% (+50.0%)");
});

it("names the divisor that the unit of a value does not have", () => {
  const per = (unit: "request" | "second" | "profile", aggregation: "sum" | "mean" = "sum") =>
    perText({ per: unit, before: 1, after: 1 }, { ...meta, aggregation });
  expect([per("request"), per("second"), per("profile"), per("profile", "mean")]).toEqual([
    " per request",
    "",
    " per profile",
    "",
  ]);
});

describe("the sentence about the normalisation", () => {
  it("says by what each side was divided", () => {
    expect(normalisationSentence({ per: "request", before: 12_340.4, after: 1.5 }, meta)).toBe(
      "Values are per HTTP request answered while the profiler ran: 12,340 before, 1.5 after.",
    );
    expect(normalisationSentence({ per: "second", before: 120, after: 60 }, meta)).toBe(
      "Values are per second of profiling, for one instance (120 s before, 60 s after).",
    );
    expect(
      normalisationSentence({ per: "profile", before: 1, after: 1 }, { ...meta, aggregation: "mean" }),
    ).toBe("Each value is the mean over the profiles of its side (12 before, 1,400 after).");
  });
});

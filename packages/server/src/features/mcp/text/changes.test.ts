import { buildCallTree, byLine, encodeFlameGraph } from "@flamekeep/flame";
import { stacksOf } from "@flamekeep/flame/testing";
import { describe, expect, it } from "vitest";
import { pairedLines } from "./line-values.ts";
import { changes, topFunctions } from "./tasks.ts";

const merge = {
  ...{ service: "checkout", type: "cpu", from: "2026-11-20T10:00:00.000Z", to: "2026-11-20T11:00:00.000Z" },
  ...{ profilesMerged: 6, aggregation: "sum" as const, sampleTypes: ["cpu/nanoseconds"], tags: {} },
};
const meta = { profileId: "checkout/cpu", totalSamples: 0, durationMs: 1000, profileHash: "h", merge };

/** The columns of a second of profiling, by function and by line. Values are in milliseconds. */
function graphs(folded: string): { columns: Uint8Array; lines: Uint8Array } {
  const text = folded.replace(/ (\d+)$/gm, (_, ms: string) => ` ${Number(ms) * 1e6}`);
  const stacks = stacksOf(text, { type: "cpu", unit: "nanoseconds" });
  const [columns, lines] = [stacks, byLine(stacks)].map((each) =>
    encodeFlameGraph(buildCallTree(each, 0), meta),
  );
  return { columns: columns!, lines: lines! };
}

function compared(before: string, after: string): readonly string[] {
  const [earlier, later] = [graphs(before), graphs(after)];
  const text = changes({
    ...{ before: earlier.columns, linesBefore: earlier.lines },
    ...{ after: later.columns, linesAfter: later.lines, limit: 9 },
  });
  const lines = text.split("\n");
  const from = lines.findIndex((line) => line.startsWith("code of the application")) + 1;
  return lines.slice(from, lines.indexOf("", from)).map((line) => line.trim());
}

const serve = "net/http.serve@server.go:9;shop.handle@/app/handle.go:5";

describe("the code of the application that changed", () => {
  it("comes by its own change, with the line that grew and not with that of a caller", () => {
    const before = `
      ${serve};shop.quote@/app/quote.go:12;strings.Repeat@strings.go:3 100
      ${serve};shop.quote@/app/quote.go:14 20
      ${serve} 50`;
    const after = `
      ${serve};shop.quote@/app/quote.go:12;strings.Repeat@strings.go:3 100
      ${serve};shop.quote@/app/quote.go:14 220
      ${serve} 40`;
    expect(compared(before, after)).toEqual([
      "shop.quote (/app/quote.go:14): own 0.12 -> 0.32 cores",
      "shop.handle (/app/handle.go:5): own 0.05 -> 0.04 cores; total 0.17 -> 0.36 cores",
    ]);
  });

  it("is new, gone, or moved to another file or name", () => {
    const before = `
      ${serve};shop.old@/app/quote.go:12 70
      ${serve};shop.tax@/build/1/shop/quote.go:40 30
      ${serve};shop/cart.sum@/app/cart/sum.go:3 20`;
    const after = `
      ${serve};shop.added@/app/quote.go:12 90
      ${serve};shop.tax@/build/2/shop/tax.go:4 60
      ${serve};shop/money.sum@/app/money/sum.go:3 35`;
    expect(compared(before, after)).toEqual([
      "shop.added (/app/quote.go:12): own 0 -> 0.09 cores; new",
      "shop.old (/app/quote.go:12): own 0.07 -> 0 cores; gone",
      "shop.tax (/build/2/shop/tax.go:4): own 0.03 -> 0.06 cores; moved from shop/quote.go",
      "shop/money.sum (/app/money/sum.go:3): own 0.02 -> 0.035 cores; moved from shop/cart.sum in cart/sum.go",
    ]);
  });

  it("names the lines that grew where there are several", () => {
    const before = `${serve};shop.quote@/app/quote.go:12 10\n${serve};shop.quote@/app/quote.go:14 10`;
    const after = `${serve};shop.quote@/app/quote.go:12 60\n${serve};shop.quote@/app/quote.go:14 40\n${serve};shop.quote@/app/quote.go:19 20`;
    expect(compared(before, after)).toEqual([
      "shop.quote (/app/quote.go:12): own 0.02 -> 0.12 cores; lines 12 0.01 -> 0.06 cores, 14 0.01 -> 0.04 cores, 19 new 0.02 cores",
    ]);
  });
});

describe("lines of two versions", () => {
  const paired = (before: Record<number, number>, after: Record<number, number>) => {
    const map = (lines: Record<number, number>) =>
      new Map(Object.entries(lines).map(([line, value]) => [Number(line), value]));
    return pairedLines(map(before), map(after)).map(({ line, before, after }) => [line, before, after]);
  };

  it("are the same by their number", () => {
    expect(paired({ 10: 100, 11: 5 }, { 10: 110, 11: 90 })).toEqual([
      [10, 100, 110],
      [11, 5, 90],
    ]);
  });

  it("are the same by their values where code was inserted", () => {
    expect(paired({ 10: 100, 12: 50 }, { 11: 300, 12: 100, 14: 52 })).toEqual([
      [11, 0, 300],
      [12, 100, 100],
      [14, 50, 52],
    ]);
    expect(paired({ 3: 7 }, {})).toEqual([]);
    expect(paired({}, { 3: 7 })).toEqual([[3, 0, 7]]);
  });
});

it("the functions of a graph have their hottest lines", () => {
  const { columns, lines } = graphs(`
    ${serve};shop.quote@/app/quote.go:12 30
    ${serve};shop.quote@/app/quote.go:14;strings.Repeat@strings.go:3 50
    ${serve};shop.quote@/app/quote.go:18 20`);
  const top = (order: "self" | "total") =>
    topFunctions({ columns, lines, profileType: "cpu", order, limit: 4 }).split("\n").slice(1);
  expect(top("total")[2]).toBe(
    "self 50.0% 50 ms, total 100.0% 100 ms  shop.quote (/app/quote.go:14); total by line 14 50.0%, 12 30.0%, 18 20.0%",
  );
  const quote = top("self").find((line) => line.includes("shop.quote"));
  expect(quote).toMatch(/shop\.quote \(\/app\/quote\.go:12\); self by line 12 30\.0%, 18 20\.0%$/);
  expect(top("self").join("\n")).toMatch(/shop\.handle \(\/app\/handle\.go:5\)$/m);
});

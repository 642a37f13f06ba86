import { describe, expect, it } from "vitest";
import { csvText } from "#charts/parts/chart-files.ts";
import { clustered } from "#charts/parts/marker-flags.tsx";
import { tableRows } from "#charts/parts/value-table.tsx";
import { keyResult } from "#charts/plot/use-selection.ts";
import {
  bucketSpan,
  highest,
  lonePoints,
  nearestBucket,
  sortedAt,
  spanOf,
  stacked,
  wholeSums,
} from "./series.ts";
import { sparklinePath } from "./sparkline.ts";

/** Buckets of 10 ms with one missing between 20 and 40. */
const times = [0, 10, 40, 50];

describe("buckets", () => {
  it("span from the first start to the last end", () => {
    expect(spanOf(times, 10)).toEqual({ fromMs: 0, toMs: 60 });
  });

  it.each([
    [-5, 0],
    [0, 0],
    [9, 0],
    [10, 1],
    [22, 1],
    [38, 2],
    [55, 3],
    [99, 3],
  ])("at %d is number %d", (atMs, index) => expect(nearestBucket(times, 10, atMs)).toBe(index));

  it("are none of an empty chart", () => expect(nearestBucket([], 10, 5)).toBe(-1));

  it("are selected whole by a drag in either direction", () => {
    expect(bucketSpan(times, 10, 13, 44)).toEqual({ fromMs: 10, toMs: 50 });
    expect(bucketSpan(times, 10, 44, 13)).toEqual({ fromMs: 10, toMs: 50 });
    expect(bucketSpan(times, 10, 41, 42)).toEqual({ fromMs: 40, toMs: 50 });
    expect(bucketSpan(times, 10, 0, 10)).toEqual({ fromMs: 0, toMs: 10 });
  });
});

describe("values", () => {
  it("are stacked, missing ones as 0 where another series was measured", () => {
    expect(
      stacked([
        [1, null, null],
        [2, 5, null],
        [3, null, null],
      ]),
    ).toEqual([
      [1, 0, null],
      [3, 5, null],
      [6, 5, null],
    ]);
    expect(stacked([])).toEqual([]);
  });

  it("have a highest, 0 without any", () => {
    expect(highest([[1, null], [7]])).toBe(7);
    expect(highest([[null]])).toBe(0);
  });

  it("are lone between two gaps", () => {
    expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  });

  it("sort a legend at the cursor, missing ones last", () => {
    const series = [
      { id: "a", values: [1] },
      { id: "b", values: [null] },
      { id: "c", values: [2] },
    ];
    expect(sortedAt(series, 0).map(({ id }) => id)).toEqual(["c", "a", "b"]);
    expect(sortedAt(series, null)).toBe(series);
  });

  it("are summed up in a table of limited length by the highest of each stretch", () => {
    expect(tableRows(times, [[1, 3, null, 2]], 2)).toEqual({
      bucketsPerRow: 2,
      rows: [
        { atMs: 0, values: [3] },
        { atMs: 40, values: [2] },
      ],
    });
    expect(tableRows(times, [[1, 3, null, 2]], 48).rows.map(({ values }) => values[0])).toEqual([
      1,
      3,
      null,
      2,
    ]);
  });
});

describe("markers", () => {
  it("that would overlap are one", () => {
    expect(clustered([0, 5, 12, 40], (at) => at, 10)).toEqual([[0, 5], [12], [40]]);
  });
});

describe("an exported table", () => {
  it("has a row per bucket, empty cells for gaps, and quotes names", () => {
    const series = [
      { label: 'say "hi", you', values: [1.5, null] },
      { label: "=1+1", values: [null, 2] },
    ];
    expect(csvText([0, 60_000], series, "count")).toBe(
      'time,"say ""hi"", you (count)",\'=1+1 (count)\r\n' +
        "1970-01-01T00:00:00.000Z,1.5,\r\n1970-01-01T00:01:00.000Z,,2\r\n",
    );
  });
});

describe("keys", () => {
  const press = (key: string, shiftKey = false) => ({ key, shiftKey });
  const at = (index: number | null, anchor: number | null = null) => ({ index, anchor });

  it("move the cursor and stop at the ends", () => {
    expect(keyResult(at(null), press("ArrowRight"), 5)).toEqual({ kind: "move", cursor: at(0) });
    expect(keyResult(at(4), press("ArrowRight"), 5)).toEqual({ kind: "move", cursor: at(4) });
    expect(keyResult(at(3), press("Home"), 5)).toEqual({ kind: "move", cursor: at(0) });
    expect(keyResult(at(0), press("End"), 5)).toEqual({ kind: "move", cursor: at(4) });
    expect(keyResult(at(30), press("PageUp"), 100)).toEqual({ kind: "move", cursor: at(20) });
  });

  it("select with Shift, apply with Enter and clear with Escape", () => {
    expect(keyResult(at(2), press("ArrowRight", true), 5)).toEqual({ kind: "move", cursor: at(3, 2) });
    expect(keyResult(at(1, 3), press("Enter"), 5)).toEqual({ kind: "apply", from: 1, to: 3 });
    expect(keyResult(at(3, 2), press("ArrowLeft"), 5)).toEqual({ kind: "move", cursor: at(2) });
    expect(keyResult(at(3, 2), press("Escape"), 5)).toEqual({ kind: "clear" });
  });

  it("are left to the page otherwise", () => {
    expect(keyResult(at(2), press("Tab"), 5)).toBeUndefined();
    expect(keyResult(at(null), press("Enter"), 5)).toBeUndefined();
    expect(keyResult(at(null), press("ArrowLeft"), 0)).toBeUndefined();
  });
});

describe("a sparkline", () => {
  it("ends at gaps and shows a lone point as a dot", () => {
    expect(sparklinePath([0, 2, null, 1], 30, 12)).toEqual({
      line: "M0 11L10 1",
      area: "M0 12L0 11L10 1L10 12Z",
      dots: "M30 6h0",
    });
  });
});

const isWhole = (at: number) => at === 1 || at === 2;

it("sums of buckets that are not whole are not drawn", () => {
  const lines = [
    [1, 2, null, 1],
    [null, null, null, 5],
  ];
  expect(wholeSums(lines, isWhole)).toEqual([
    [null, 2, null, null],
    [null, null, null, null],
  ]);
});

it("sums are drawn in a bucket that still fills if nothing else was measured", () => {
  const lines = [
    [null, null, null, 1],
    [null, null, null, 5],
  ];
  expect(wholeSums(lines, isWhole)).toEqual(lines);
});

import { describe, expect, it } from "vitest";
import { onsetOf } from "./read-onset.ts";

const minute = (count: number) => count * 60_000;
const points = (...values: number[]) => values.map((value, index) => ({ atMs: minute(index), value }));
const at = (count: number) => new Date(minute(count)).toISOString();
const deploys = [
  { version: "v1", atMs: minute(0) },
  { version: "v2", atMs: minute(3) + 30_000 },
];

describe("the onset of an increase", () => {
  it("is the first point of the higher level, with the version that was first seen just before", () => {
    expect(onsetOf(points(10, 11, 9, 10, 20, 21, 19), deploys)).toEqual({ at: at(4), version: "v2" });
  });

  it("has no version where none came then", () => {
    expect(onsetOf(points(10, 11, 20, 21, 19, 20), deploys)).toEqual({ at: at(2), version: null });
  });

  it.each([
    ["a fall", points(20, 21, 19, 10, 11, 9)],
    ["equal values", points(10, 10, 10, 10)],
    ["a single high value", points(10, 10, 10, 10, 10, 40, 10, 10, 10, 10)],
    ["few points", points(10, 20, 20)],
    ["no points", []],
  ])("is not known of %s", (_, given) => {
    expect(onsetOf(given, deploys)).toBeNull();
  });
});

import { hourMs } from "@flamekeep/contract/durations";
import { expect, it } from "vitest";
import { growthOf, type Point } from "./rise-shape.ts";

const points = (level: (hour: number) => number): Point[] =>
  Array.from({ length: 48 }, (_, index) => ({
    atMs: index * hourMs,
    level: level(index) + 0.01 * Math.sin(17 * index ** 2),
    count: 10,
  }));

it("finds when growth began, and how fast it is", () => {
  const growth = growthOf(points((hour) => Math.max(0, 0.04 * (hour - 30))))!;
  expect(Math.abs(growth.onsetMs / hourMs - 30)).toBeLessThan(1);
  expect(growth.perMs * hourMs).toBeCloseTo(0.04, 2);
});

it("finds no growth in a step, in a fall, nor in what stays", () => {
  expect(growthOf(points((hour) => (hour < 30 ? 0 : 0.4)))).toBeUndefined();
  expect(growthOf(points((hour) => Math.min(0, -0.04 * (hour - 30))))).toBeUndefined();
  expect(growthOf(points((hour) => (hour >= 20 && hour < 24 ? 1 : 0)))).toBeUndefined();
});

it("needs points on both sides", () => {
  expect(growthOf(points(() => 0).slice(0, 5))).toBeUndefined();
});

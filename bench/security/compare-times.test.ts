import { expect, it } from "vitest";
import { differenceOf, interleaved } from "./compare-times.ts";

it("times two lists by turns, without the warm-up", async () => {
  const order: string[] = [];
  const call = async (email: string) => {
    order.push(email);
    return { ms: email.startsWith("a") ? 1 : 2 };
  };
  const times = await interleaved(["a0", "a1", "a2"], ["b0", "b1", "b2"], { call, warmUp: 1 });
  expect(order).toEqual(["a0", "b0", "b1", "a1", "a2", "b2"]);
  expect(times).toEqual([
    [1, 1],
    [2, 2],
  ]);
});

it("reports how far medians are apart, and how far those of one list", () => {
  const { medians, percent, noisePercent } = differenceOf([9, 10, 11], [20, 20, 20]);
  expect([medians, percent]).toEqual([[10, 20], 50]);
  expect(noisePercent).toBeGreaterThanOrEqual(0);
  expect(differenceOf([5, 5], [5, 5])).toMatchObject({ percent: 0, noisePercent: 0 });
});

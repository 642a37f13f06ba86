import { expect, it } from "vitest";
import { flamePattern } from "./flame-pattern.ts";

it("keeps every bar inside a bar of the row before", () => {
  const bars = flamePattern(12, 7);
  const above = bars.filter((bar) => bar.depth > 0);
  expect(above.length).toBeGreaterThan(20);
  for (const bar of above) {
    const parent = bars.find(
      (each) =>
        each.depth === bar.depth - 1 &&
        each.x <= bar.x + 1e-9 &&
        each.x + each.width >= bar.x + bar.width - 1e-9,
    );
    expect(parent).toBeDefined();
  }
});

it("is the same picture every time", () => {
  expect(flamePattern(8, 3)).toEqual(flamePattern(8, 3));
});

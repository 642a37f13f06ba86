import { expect, it } from "vitest";
import { lastValue } from "./timeline.ts";

it("the last value is the last one that was measured", () => {
  expect([lastValue([1, 2, null]), lastValue([null])]).toEqual([2, null]);
});

import { expect, it } from "vitest";
import { delaySeconds } from "./throttle.ts";

it("the first failures are free, then the wait doubles up to fifteen minutes", () => {
  const waits = [1, 4, 5, 6, 7, 8, 14, 15, 16, 1_000_000].map((failures) => delaySeconds(failures, 5));
  expect(waits).toEqual([0, 0, 1, 2, 4, 8, 512, 900, 900, 900]);
});

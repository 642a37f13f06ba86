import { expect, it } from "vitest";
import { stateOf, usageText, usedShare } from "./model.ts";

const limit = (used: number, value: number) => ({ used, value, source: "server" }) as const;

it("shows usage in the unit of the limit", () => {
  expect(usageText("stored_bytes", limit(12.3 * 2 ** 30, 50 * 2 ** 30))).toBe("12.3 GB of 50 GB");
  expect(usageText("services", limit(3, 1000))).toBe("3 of 1,000");
  expect(usageText("retention_days", limit(14, 30))).toBe("14 of 30 days");
  expect(usageText("retention_days", limit(1, 1))).toBe("1 day");
});

it("warns from nine tenths on, but not about days", () => {
  const states = [0, 89, 90, 100, 101].map((used) => stateOf("services", limit(used, 100)));
  expect(states).toEqual(["free", "free", "near", "reached", "reached"]);
  expect(stateOf("analyses_per_day", limit(0, 0))).toBe("reached");
  expect(stateOf("retention_days", limit(30, 30))).toBe("free");
  const shares = [limit(0, 0), limit(30, 20), limit(5, 20)].map((each) => usedShare("services", each));
  expect([...shares, usedShare("retention_days", limit(5, 20))]).toEqual([1, 1, 0.25, undefined]);
});

// @vitest-environment happy-dom
import { expect, it } from "vitest";
import { periodBefore } from "./range-analysis.tsx";

it("has the length of the range and ends where it begins", () => {
  expect(periodBefore({ from: "24h", to: "now" })).toEqual({ from: "2880m", to: "24h" });
  expect(periodBefore({ from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:15:00Z" })).toEqual({
    from: "2026-11-20T09:45:00Z",
    to: "2026-11-20T10:00:00Z",
  });
});

it("is unknown for a range that is empty or cannot be read", () => {
  expect(periodBefore({ from: "2026-11-20T10:00:00Z", to: "2026-11-20T10:00:00Z" })).toBeUndefined();
  expect(periodBefore({ from: "yesterday", to: "now" })).toBeUndefined();
});

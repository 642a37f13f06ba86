import { describe, expect, it } from "vitest";
import { countOf, fleetTotals, shownTags, typeShares } from "./model.ts";

describe("counts by type", () => {
  it("add up for all, metrics included", () => {
    expect(countOf({ cpu: 3, metrics: 2 }, "all")).toBe(5);
    expect(countOf({ cpu: 3 }, "mutex")).toBe(0);
    expect(countOf(undefined, "all")).toBe(0);
  });

  it("become shares of the types that occur", () => {
    expect(typeShares({ memory: 1, cpu: 3, block: 0 })).toEqual([
      { type: "cpu", count: 3, share: 0.75 },
      { type: "memory", count: 1, share: 0.25 },
    ]);
    expect(typeShares({})).toEqual([]);
  });
});

describe("totals over services", () => {
  it("leave batches of HTTP metrics out", () => {
    const at = "2026-11-20T11:00:00.000Z";
    const counts = { cpu: 5, wall: 2, metrics: 9 };
    expect(fleetTotals({ services: 2, last_activity: at, profiles_by_display_type: counts })).toEqual({
      services: 2,
      profiles: 7,
      byType: { cpu: 5, wall: 2 },
      lastActivity: at,
    });
  });
});

describe("tags", () => {
  it("show the first ones by key and count the rest", () => {
    const { shown, hidden } = shownTags({ zone: "b", env: "prod", app: "x", host: "h" }, 3);
    expect(shown.map(([key]) => key)).toEqual(["app", "env", "host"]);
    expect(hidden).toEqual([["zone", "b"]]);
  });
});

import { describe, expect, it } from "vitest";
import { daysOf, draftOf, fewerDaysText, keptDays, problemsOf, shortens } from "./model.ts";

const server = { server_retention_days: 30, server_days_by_type: { goroutine: 3, memory: 20 } };
const unlimited = { ...server, retention_days: null };
const limited = { ...server, retention_days: 14 };

describe("the form of retention", () => {
  it("starts with what is stored", () => {
    expect(draftOf(unlimited)).toEqual({ isLimited: false, days: "30" });
    expect(draftOf(limited)).toEqual({ isLimited: true, days: "14" });
    expect(keptDays({ ...server, retention_days: 90 })).toBe(30);
  });

  it.each(["0", "31", "1.5", "-3", "", "two"])("refuses %j days on a server that keeps 30", (days) => {
    expect(problemsOf({ isLimited: true, days }, limited)).toEqual([
      { field: "days", text: "Enter whole days from 1 to 30, because data is kept for at most 30 days" },
    ]);
  });

  it.each([
    [{ isLimited: true, days: " 7 " }, 7],
    [{ isLimited: true, days: "30" }, 30],
    [{ isLimited: false, days: "none" }, null],
  ])("saves %j as %s", (draft, days) => {
    expect(problemsOf(draft, limited)).toEqual([]);
    expect(daysOf(draft)).toBe(days);
  });

  it("names the types that are kept for fewer days", () => {
    expect(fewerDaysText(unlimited)).toBe("goroutine profiles for 3 days, memory profiles for 20 days");
    expect(fewerDaysText(limited)).toBe("goroutine profiles for 3 days");
    expect(fewerDaysText({ ...limited, server_days_by_type: {} })).toBe("");
  });

  it("tells when saving removes data", () => {
    expect([shortens(7, limited), shortens(14, limited), shortens(20, limited)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([shortens(20, unlimited), shortens(null, limited)]).toEqual([true, false]);
  });
});

import { describe, expect, it } from "vitest";
import { daysOf, draftOf, keptDays, problemsOf, shortens } from "./model.ts";

const unlimited = { retention_days: null, server_retention_days: 30 };
const limited = { retention_days: 14, server_retention_days: 30 };

describe("the form of retention", () => {
  it("starts with what is stored", () => {
    expect(draftOf(unlimited)).toEqual({ isLimited: false, days: "30" });
    expect(draftOf(limited)).toEqual({ isLimited: true, days: "14" });
    expect(keptDays({ retention_days: 90, server_retention_days: 30 })).toBe(30);
  });

  it.each(["0", "31", "1.5", "-3", "", "two"])("refuses %j days on a server that keeps 30", (days) => {
    expect(problemsOf({ isLimited: true, days }, limited)).toEqual([
      { field: "days", text: "Enter whole days from 1 to 30, because this server keeps data for 30 days" },
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

  it("tells when saving removes data", () => {
    expect([shortens(7, limited), shortens(14, limited), shortens(20, limited)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([shortens(20, unlimited), shortens(null, limited)]).toEqual([true, false]);
  });
});

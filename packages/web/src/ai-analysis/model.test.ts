import type { Analysis, Recommendation } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { byState, cardOf, currentAnalysis, effectText, withAnalysis } from "./model.ts";

function analysis(
  id: string,
  status: Analysis["status"],
  issues?: { total: number; high: number },
): Analysis {
  const summary = issues && {
    total_issues: issues.total,
    high_priority: issues.high,
    estimated_improvement: "",
    is_clean: false,
  };
  return { id, status, summary: summary ?? null } as Analysis;
}

describe("the analysis to show", () => {
  const failed = analysis("3", "failed");
  const completed = analysis("2", "completed");
  const older = analysis("1", "completed");

  it("is the latest completed one", () => expect(currentAnalysis([failed, completed, older])?.id).toBe("2"));
  it("is the one that runs", () =>
    expect(currentAnalysis([failed, completed, analysis("0", "processing")])?.id).toBe("0"));
  it("is the chosen one", () => expect(currentAnalysis([failed, completed, older], "1")?.id).toBe("1"));
  it("is a failed one if there is no other", () => expect(currentAnalysis([failed])?.id).toBe("3"));
  it("takes its place in the list, or the first one", () => {
    const changed = analysis("1", "failed");
    expect(withAnalysis([completed, older], changed)).toEqual([completed, changed]);
    expect(withAnalysis([completed], changed)).toEqual([changed, completed]);
  });
});

it.each([
  [undefined, "no-analysis", "Not analyzed yet"],
  [analysis("1", "pending"), "no-analysis", "Being analyzed"],
  [analysis("1", "failed"), "no-analysis", "The last analysis failed"],
  [analysis("1", "completed", { total: 0, high: 0 }), "optimized", "No issues detected"],
  [analysis("1", "completed", { total: 1, high: 0 }), "issues", "1 issue detected"],
  [analysis("1", "completed", { total: 4, high: 2 }), "critical", "2 critical issues detected"],
])("gives each type of profile a state", (latest, state, text) =>
  expect(cardOf(latest)).toEqual({ state, text }),
);

it("lists dismissed advice last", () => {
  const open = { id: "r2", feedback: null } as Recommendation;
  const dismissed = { id: "r1", feedback: { state: "dismissed" } } as Recommendation;
  expect(byState([dismissed, open]).map(({ id }) => id)).toEqual(["r2", "r1"]);
});

describe("the effect of advice that was followed", () => {
  type Effect = NonNullable<NonNullable<Recommendation["feedback"]>["effect"]>;
  const effect: Effect = {
    status: "improved",
    function: "shop.Render",
    share_before: 0.31,
    share_after: 0.04,
    change: -0.86,
    is_per_request: true,
    profiles: 14,
    measured_at: null,
    version: null,
    since: null,
  };
  const textOf = (changed: Partial<Effect>) => effectText({ ...effect, ...changed });

  it("names the deploy since which accepted advice is measured", () =>
    expect(textOf({ version: "v1.9.0" })).toBe(
      "Since v1.9.0: it helped: from 31.0% to 4.0% of the profile, 86% less per request (14 later profiles).",
    ));

  it("gives both shares and the change", () =>
    expect(textOf({})).toBe(
      "It helped: from 31.0% to 4.0% of the profile, 86% less per request (14 later profiles).",
    ));
  it("may be worse", () =>
    expect(textOf({ status: "worse", share_after: 0.4, change: 0.2, is_per_request: false })).toBe(
      "It got worse: from 31.0% to 40.0% of the profile, 20% more per second (14 later profiles).",
    ));
  it("is awaited", () =>
    expect(textOf({ status: "waiting", share_after: null })).toBe(
      "Waiting for new profiles to measure the effect.",
    ));
});

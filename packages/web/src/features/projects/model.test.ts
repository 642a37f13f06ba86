import type { Project } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { changeOf, draftOf, matchingProjects, projectTotals, serviceOf, tagsOf } from "./model.ts";

const checkout: Project = {
  id: "checkout",
  name: "Till",
  description: "Service: checkout",
  status: "active",
  tags: ["payments", "go"],
  member_count: 0,
  profile_count: 1200,
  created_at: "2026-08-22T12:00:00.000Z",
  last_activity: "2026-11-20T12:00:00.000Z",
  is_derived: true,
};
const billing: Project = {
  ...checkout,
  id: "5f0c1b5e-54a0-4a6e-9d0a-0f0b6f1f2a11",
  name: "Billing",
  description: "",
  status: "archived",
  tags: [],
  member_count: 1,
  profile_count: 3,
  is_derived: false,
};
const both = [checkout, billing];

it("counts projects, active projects and profiles", () => {
  expect(projectTotals(both)).toEqual({ projects: 2, active: 1, profiles: 1203 });
  expect(projectTotals([])).toEqual({ projects: 0, active: 0, profiles: 0 });
});

describe("the search", () => {
  it.each([
    ["bILL", [billing]],
    ["SERVICE:", [checkout]],
    [" Pay ", [checkout]],
    ["", both],
    ["nothing", []],
  ])("for %j looks at name, description and tags", (term, found) => {
    expect(matchingProjects(both, term)).toEqual(found);
  });
});

it("maps a derived project to its service by id, other projects by name", () => {
  expect(both.map(serviceOf)).toEqual(["checkout", "Billing"]);
});

describe("tags", () => {
  it.each([
    ["", []],
    [" , ,", []],
    [" go ,, payments,go", ["go", "payments"]],
    ["two words", ["two words"]],
  ])("of %j are trimmed, empty and repeated ones dropped", (text, tags) => {
    expect(tagsOf(text)).toEqual(tags);
  });
});

describe("a draft", () => {
  it("starts active and empty, or with what the project has", () => {
    expect(draftOf(undefined)).toEqual({ name: "", description: "", tags: "", status: "active" });
    expect(draftOf(checkout)).toEqual({
      name: "Till",
      description: "Service: checkout",
      tags: "payments, go",
      status: "active",
    });
  });

  it("changes only what differs", () => {
    const draft = draftOf(checkout);
    expect(changeOf(checkout, draft)).toEqual({});
    expect(changeOf(checkout, { ...draft, name: " Till " })).toEqual({});
    expect(changeOf(checkout, { ...draft, name: "Shop", tags: "go" })).toEqual({
      name: "Shop",
      tags: ["go"],
    });
    expect(changeOf(checkout, { ...draft, description: "", status: "inactive" })).toEqual({
      description: "",
      status: "inactive",
    });
  });
});

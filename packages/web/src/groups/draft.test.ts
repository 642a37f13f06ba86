import { limits, type Project } from "@flamekeep/contract";
import { describe, expect, it } from "vitest";
import { changeOf, draftOf, serviceOptions, tagsOf } from "./draft.ts";

const checkout: Project = {
  id: "5f0c1b5e-54a0-4a6e-9d0a-0f0b6f1f2a11",
  name: "Till",
  description: "Service: checkout",
  status: "active",
  tags: ["payments", "go"],
  services: ["checkout"],
  member_count: 1,
  profile_count: 1200,
  created_at: "2026-08-22T12:00:00.000Z",
  last_activity: "2026-11-20T12:00:00.000Z",
  is_derived: false,
};

describe("services to choose from", () => {
  const known = ["checkout", "cart", "stock"];

  it.each([
    ["", known],
    [" C ", ["checkout", "cart", "stock", "C"]],
    ["check", ["checkout", "check"]],
    ["cart", ["cart"]],
    ["no spaces", []],
  ])("for %j are those that contain the text, and the text if it is a name", (text, options) => {
    expect(serviceOptions(known, [], text)).toEqual(options);
  });

  it("are only the chosen ones at the limit, to be removed", () => {
    const chosen = Array.from({ length: limits.projectServicesMax }, (_, at) => `cart-${at}`);
    expect(serviceOptions(["cart-7", "checkout"], chosen, "")).toEqual(["cart-7"]);
  });
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
    expect(draftOf(undefined)).toEqual({
      name: "",
      description: "",
      tags: "",
      services: [],
      status: "active",
    });
    expect(draftOf(checkout)).toEqual({
      name: "Till",
      description: "Service: checkout",
      tags: "payments, go",
      services: ["checkout"],
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
    expect(changeOf(checkout, { ...draft, services: ["checkout", "cart"] })).toEqual({
      services: ["checkout", "cart"],
    });
    expect(changeOf(checkout, { ...draft, description: "", status: "inactive" })).toEqual({
      description: "",
      status: "inactive",
    });
  });
});
